/* archive.h: making archives of folders, and reading compressed files. */
#ifndef ATOMC_WORKBENCH_ARCHIVE_H
#define ATOMC_WORKBENCH_ARCHIVE_H

/* The folder as .tar.zst, in a file without a name in the folder `scratch`; in it, the folder is called
   `root`. A descriptor at its beginning, or -1 and errno. */
int archive_make(const char *folder, const char *root, const char *scratch);
/* The contents of the .zst file, in a file without a name in the folder `scratch`. A descriptor at its
   beginning, or -1 and errno. Closes the file. */
int archive_open(int file, const char *scratch);

#endif
