export { rolesUpTo } from './benutzer/role-rules.ts';
export { Gate } from './gate.tsx';
export { FreshKey } from './schluessel/fresh-key.tsx';
export { KeysPanel } from './schluessel/keys-panel.tsx';
export { NewKeyDialog } from './schluessel/new-key-dialog.tsx';
export { useCreateKey, useMayManageKeys } from './schluessel/use-keys.ts';
export { useDeviceName } from './use-device-name.ts';
