/** Copies of the data files and the log after them: what the embedded database is put back from, to any instant. */
export { type ArchiveFiles, readArchiveFiles } from './archive-state.ts';
export type { Until } from './choose.ts';
export type { Archive } from './place.ts';
export { recoverTo } from './recover.ts';
export { rotateArchive } from './rotate-archive.ts';
export { writeBase } from './write-base.ts';
