import { useQuery } from '@tanstack/react-query';
import { ichQuery } from './queries.ts';

/** What the operator types to have the link that a mail would bring. */
export const linkCommand = (kind: 'passwort' | 'bestaetigung' | 'einladung', email: string): string =>
  `npm run betreiber -- link ${kind} ${email}`;

/** Whether no mail leaves this installation: what mails would say stands in the log of the service. */
export const useHasNoMail = (): boolean => useQuery(ichQuery).data?.mailweg === 'log';
