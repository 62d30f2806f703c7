with Ada.Text_IO; use Ada.Text_IO;
procedure Raises is
   type Table is array (1 .. 1000) of Integer;
   Values : Table;
   Total : Long_Integer := 0;
   Bad : exception;
   procedure Add (V : Integer) is begin
      if V mod 97 = 0 then raise Bad; end if;
      Total := Total + Long_Integer (V);
   end Add;
   Caught : Natural := 0;
begin
   for I in Values'Range loop Values (I) := (I * 7919) mod 1009; end loop;
   for I in Values'Range loop
      begin
         Add (Values (I));
      exception when Bad => Caught := Caught + 1;
      end;
   end loop;
   Put_Line (Long_Integer'Image (Total) & Natural'Image (Caught));
   declare
      I : Integer := 2000;
   begin
      Put_Line (Integer'Image (Values (I)));
   exception when Constraint_Error => Put_Line ("out of range");
   end;
end Raises;
