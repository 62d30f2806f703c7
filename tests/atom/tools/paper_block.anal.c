/* paper_block.anal.c: figure 2(b) of the same paper; block_info is a pointer, as it has to be. */
#include <stdio.h>
#include <stdlib.h>
int *block_info; FILE* fp;

void ProgBegin(int nblocks){
    fp = fopen("counts.output","w");
    block_info = calloc(nblocks,sizeof(int));
}

void RecordBlock(int x){
    block_info[x]++;
}

void PrintBlock(long x, int y){
    fprintf(fp,"%lx %d\n",x,block_info[y]);
}

void ProgEnd(){
    fclose(fp);
}
