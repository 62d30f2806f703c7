// Alpha.td: the user-mode Alpha instruction set: base, BWX, MVI, FIX and CIX, 582 encodings.
// Requires llvm-tblgen 19. This is the only description of encodings; all others are generated from it.

include "llvm/Target/Target.td"
include "llvm/TableGen/SearchableTable.td"

include "AlphaFormats.td"
include "AlphaInteger.td"
include "AlphaFloat.td"

def AlphaInstrInfo : InstrInfo;

def AlphaAsmWriter : AsmWriter {
    string AsmWriterClassName = "InstPrinter";
}

def Alpha : Target {
    let InstructionSet = AlphaInstrInfo;
    let AssemblyWriters = [AlphaAsmWriter];
}
