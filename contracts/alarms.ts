/** The channels of alarms, and what becomes of a delivery. */

/** The channels an alarm may go through, by the fields of the settings that name them. */
export const ALARM_KANAELE = ['email', 'chatA_webhook', 'chatB_webhook', 'push_url', 'webhook_url'] as const;
export type AlarmKanal = (typeof ALARM_KANAELE)[number];

/** What a delivery has come to. */
export const ALARM_STATUS = ['wartet', 'zugestellt', 'aufgegeben', 'entfallen'] as const;
export type AlarmStatus = (typeof ALARM_STATUS)[number];
