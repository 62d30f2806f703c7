MODULE sieve;
FROM StrIO IMPORT WriteString, WriteLn;
FROM NumberIO IMPORT WriteCard;
CONST Most = 20000;
VAR composite: ARRAY [2..Most] OF BOOLEAN;
    i, k, count: CARDINAL;
    visit: PROCEDURE (CARDINAL);
PROCEDURE Sum (n: CARDINAL): CARDINAL;
VAR total: CARDINAL;
    PROCEDURE Add (a: CARDINAL);
    BEGIN total := total + a END Add;
VAR j: CARDINAL;
BEGIN
  total := 0;
  FOR j := 1 TO n DO Add (j) END;
  RETURN total
END Sum;
BEGIN
  count := 0;
  FOR i := 2 TO Most DO composite[i] := FALSE END;
  FOR i := 2 TO Most DO
    IF NOT composite[i] THEN
      INC (count);
      k := i + i;
      WHILE k <= Most DO composite[k] := TRUE; k := k + i END
    END
  END;
  WriteCard (count, 0); WriteString (' primes'); WriteLn;
  WriteCard (Sum (100), 0); WriteLn
END sieve.
