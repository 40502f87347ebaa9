/** Interventions: what other pages show of them, and the ways to intervene. */
export { useDurationText } from './duration.ts';
export { DurationField } from './duration-field.tsx';
export { HandButton } from './hand-button.tsx';
export { InForceNotices } from './in-force-notices.tsx';
export { InterventionItem } from './intervention-item.tsx';
export { LevelBadge } from './level-badge.tsx';
export { useMayProtect } from './lift-button.tsx';
export { ObjectLink, useObjectText } from './object-link.tsx';
export { ProtectionButton } from './protection-button.tsx';
export { useRuleName } from './rule-name.ts';
