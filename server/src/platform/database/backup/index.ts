export { BackupRefused, type Manifest, readBackup } from './manifest.ts';
export { migrationsOf, restoreBackup } from './restore.ts';
export { rotate } from './rotation.ts';
export { writeBackup } from './write.ts';
