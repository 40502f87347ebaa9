/** Rules: the limits of money, which the first steps ask for. */
export { LimitsButton } from './limits-dialog.tsx';
