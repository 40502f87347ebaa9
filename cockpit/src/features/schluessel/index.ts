/** API keys: the parts with which other pages show and make them. */
export { FreshKey } from './fresh-key.tsx';
export { Gaps } from './gaps.tsx';
export { KeysPanel } from './keys-panel.tsx';
export { useCreateKey, useMayManageKeys } from './use-keys.ts';
