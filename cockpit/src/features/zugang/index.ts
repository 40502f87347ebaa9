/** Signing in: the frame of pages outside the cockpit, how devices are named, what an unconfirmed address asks for. */
export { sessionIsLeft, sessionIsOpen } from './ended-session.ts';
export { Gate } from './gate.tsx';
export { UnconfirmedNotice } from './unconfirmed-notice.tsx';
export { useDeviceName } from './use-device-name.ts';
export { useChooseLanguage } from './use-profile.ts';
