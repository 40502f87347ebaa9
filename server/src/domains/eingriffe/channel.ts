/** NOTIFY when the interventions of a Mandant have changed; its payload is the Mandant. */
export const CHANNEL = 'zw_eingriffe';
