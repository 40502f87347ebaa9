import { uuidV5 } from './uuid.ts';

/** Namespace of the ids derived from what names a call; any fixed UUID serves. */
const NAMESPACE = '7c9d1f5e-1f0b-4f0a-9a53-0f6c2f6b8a11';

/** The same `ereignis_id` for the same names every time, so that what is seen twice counts once. */
export const stableId = (...names: string[]): string => uuidV5(names.join(' '), NAMESPACE);
