Write(char *text) { text[0] = 'C'; }
WriteArray(int *two) { two[1]++; }
