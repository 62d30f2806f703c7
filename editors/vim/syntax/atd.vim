" Vim syntax of atomc's tool descriptions. Put this folder's subfolders into ~/.vim.
" The lists of words are written by editors/update.sh from the language's own tables.
if exists("b:current_syntax")
  finish
endif

syn match atdName "\<[A-Za-z_][A-Za-z0-9_]*\>"
syn keyword atdWord after against analysis and array as ascending back before by call changes check clear counter delete descending detach display else entry every exit for from greatest grouped hex histogram in include like limit linear log2 needs not on or param per percent print real replace report sample set skip sorted switch to tool top total turn unit unwind use weight when where with
syn keyword atdPlace  block blocks callsite callsites contains data edge edges entries entry inst insts loop loops object objects place position positions proc procs program signal syscall syscalls
syn keyword atdClass address arith compare condbr condmove fdiv fload float fstore jump load logical misc mul pal return shift store uncondbr unknown
syn match atdAttribute "\.\s*\%(writes_memory\|writes\|word\|to\|thread\|text_size\|text_pc\|text\|target_pc\|target\|takes_structure\|system_call_number\|system_call\|stalls\|size\|sets_gp\|section\|saves\|register\|reads_memory\|reads\|rc\|rb\|ra\|proc\|pc\|path\|parent\|output\|opcode\|object\|number\|nsuccs\|nstores\|nprocs\|npreds\|nobjects\|nloops\|nloads\|ninsts\|nentries\|nedges\|nearest_symbol\|ncallsites\|nblocks\|nbacks\|nargs\|name\|mnemonic\|makes_threads\|machine\|low\|loop_depth\|loop\|literal\|line\|last_line\|last\|kind\|key\|is_target\|is_sub\|is_store\|is_return\|is_plug_in\|is_nop\|is_mul\|is_locked\|is_load\|is_library\|is_left_out\|is_leaf\|is_landing_pad\|is_indirect\|is_header\|is_float\|is_first\|is_entry\|is_dynamic\|is_div\|is_call\|is_back\|is_add\|inst\|id\|high\|header\|gp\|from_outside\|from\|frame_size\|follows\|first_line\|first\|file\|entry\|displacement\|depth\|demangled\|data_size\|data_address\|cycles\|count\|class\|can_skip\|callee_proc\|callee_pc\|callee\|bss_size\|bss_address\|block\|binding\|base\|argument\|alignment\|address_taken\|address\)\>"
syn match atdValue "\$\%(value\|v0\|tid\|thread\|target\|taken\|symbol\|string\|static\|stack\|sp\|signal\|ret\|pid\|pc\|original\|old\|object\|ns\|memory\|line\|ipc\|handler\|fret\|farg\|depth\|cycles\|comm\|base\|arg\|addr\|a5\|a4\|a3\|a2\|a1\|a0\)\>\|\$("me=e-1
syn match atdDynamic "\$[A-Za-z_][A-Za-z0-9_]*\>" contains=atdValue
syn keyword atdConstant true false none
syn match atdNumber "\<\%(0[xX]\x\+\|0[bB][01]\+\|\d\+\)\>"
syn match atdRegister "\<\%([rfv]\%([0-9]\|[12][0-9]\|3[01]\)\|x\%([12]\=[0-9]\|30\)\|[at][0-9]\|t1[0-2]\|s[0-5]\|fp\|lr\|ra\|pv\|at\|gp\|sp\|zero\|xzr\|nzcv\)\>"
syn match atdEscape contained "\\\%(x\x\+\|\o\{1,3}\|.\)"
syn region atdString start=+"+ skip=+\\.+ end=+"+ oneline contains=atdEscape
syn match atdCharacter "'\%(\\.\|[^'\\]\)*'" contains=atdEscape
syn match atdComment "#.*$" contains=@Spell
syn match atdOperator "++\|--\|[-+]=\|\%(max\|min\)\ze\s*=[^=]\|<<\|>>\|[!=<>]=\|&&\|||\|\.\."
syn match atdMember "->\s*[A-Za-z_][A-Za-z0-9_]*"

hi def link atdWord Keyword
hi def link atdPlace Type
hi def link atdClass Constant
hi def link atdAttribute Identifier
hi def link atdValue Special
hi def link atdDynamic PreProc
hi def link atdConstant Constant
hi def link atdNumber Number
hi def link atdRegister Constant
hi def link atdString String
hi def link atdCharacter Character
hi def link atdEscape SpecialChar
hi def link atdComment Comment
hi def link atdOperator Operator
hi def link atdMember Identifier

let b:current_syntax = "atd"
