/* Instructions that do not use a value: trapb has no operands, though its fields say $0; a literal's bits name no
   register. */
int main(void) {
    long unset[2];
    asm volatile("ldq $0,%0\n\ttrapb\n\tlda $0,1($31)" : : "m"(unset[0]) : "$0");
    asm volatile("lda $2,1(%0)\n\tldq_u $7,0(%0)\n\textqh $7,$2,$7\n\tsra $10,56,$10\n\tsra $7,56,$7\n\tbeq $7,1f\n1:" : : "r"(unset) : "$2", "$7"); //! unset stack read
    return 0;
}
