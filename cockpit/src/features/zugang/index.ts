/** Signing in: the frame of pages outside the cockpit, and how devices are named. */
export { Gate } from './gate.tsx';
export { useDeviceName } from './use-device-name.ts';
