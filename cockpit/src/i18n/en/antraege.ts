import type { antraege as german } from '../de/antraege.ts';

export const antraege: typeof german = {
  title: 'Requests',
  none: 'Nobody has asked for anything.',
  noneText:
    'Agents can ask for more by the Model Context Protocol: that an intervention is lifted, or a limit raised. What they ask for stands here.',
  loadMore: 'More requests',
  art: {
    eingriff: 'Lift intervention: {{name}}',
    regel: 'Loosen rule: {{name}}',
    budget: 'Raise budget: {{name}}',
  },
  amounts: 'from {{bisher}} to {{wunsch}}',
  granted: 'granted up to {{betrag}}',
  byKey: 'by key “{{name}}”',
  byGoneKey: 'by a key that is gone',
  at: 'at {{time}}',
  decided: 'decided at {{time}} by {{who}}',
  status: { offen: 'Open', gewaehrt: 'Granted', abgelehnt: 'Declined' },
  grant: 'Grant',
  decline: 'Decline',
  grantTitle: 'Grant request',
  declineTitle: 'Decline request',
  grantText: 'It takes effect at once, as if changed by hand, and stands in the audit log.',
  declineText: 'Nothing changes.',
  amount: 'New limit in EUR',
  answer: 'Answer to the program (optional)',
  grantedNote: 'Request granted',
  declinedNote: 'Request declined',
};
