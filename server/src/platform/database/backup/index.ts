export { BackupRefused, type Manifest, readBackup } from './manifest.ts';
export { migrationsOf, restoreBackup } from './restore.ts';
export { type Rotated, rotate } from './rotation.ts';
export { SIGNATURE } from './signature.ts';
export { writeBackup } from './write.ts';
