/**
 * Version of the data-processing agreement whose text the cockpit shows (`cockpit/src/features/mandant/avv-text.ts`). What
 * is accepted is stored with it. Apart from the schemas, so that the cockpit has the number without them.
 */
export const AVV_FASSUNG = '1';
