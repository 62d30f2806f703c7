/* paper_branch.anal.c: figure 3 of the same paper. */
#include <stdio.h>
FILE *file;

struct BranchInfo{
    long taken;
    long notTaken;
} *bstats;

void OpenFile(int n){
    bstats = (struct BranchInfo *)
                malloc (n * sizeof(struct BranchInfo));
    file = fopen("btaken.out", "w");
    fprintf(file, "PC \t Taken \t Not Taken \n");
}

void CondBranch(int n, long taken){
    if (taken)
        bstats[n].taken++;
    else
        bstats[n].notTaken++;
}

void PrintBranch(int n, long pc){
    fprintf(file, "0x%lx \t %d \t %d\n",
            pc, bstats[n].taken, bstats[n].notTaken);
}

void CloseFile() {
    fclose(file);
}
