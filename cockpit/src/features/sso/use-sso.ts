/** Setting up the login with the company account. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { InputOf } from '../../api/operations.ts';
import { ssoQuery } from '../../api/queries.ts';
import type { Rolle, Sso } from '../../api/types.ts';

export type SsoInput = InputOf<'ssoSetzen'>['body'];
/** The roles a new user may begin with: nobody becomes an owner by signing in. */
export type NewRole = Exclude<Rolle, 'inhaber'>;

export const newRoleOf = ({ rolle_neu }: Sso): NewRole =>
  rolle_neu === 'inhaber' ? 'betrachter' : rolle_neu;

/** What is stored, as it is sent back when only a part changes; a secret left out stays. */
export const toInput = (sso: Sso): SsoInput => ({
  aktiv: sso.aktiv,
  issuer: sso.issuer ?? '',
  client_id: sso.client_id ?? '',
  rolle_neu: newRoleOf(sso),
  name: sso.name,
});

export function useSetSso(onSaved: (sso: Sso) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SsoInput) => call('ssoSetzen', { body }),
    onSuccess: (sso) => {
      client.setQueryData(ssoQuery.queryKey, sso);
      onSaved(sso);
    },
  });
}

export function useRemoveSso(onRemoved: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('ssoEntfernen', {}),
    onSuccess: (sso) => {
      client.setQueryData(ssoQuery.queryKey, sso);
      onRemoved();
    },
  });
}

/** Has the service look for the record that proves a domain. */
export function useCheckDomain() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (domain: string) => call('ssoDomainPruefen', { params: { domain } }),
    onSuccess: (checked) =>
      client.setQueryData(
        ssoQuery.queryKey,
        (sso) =>
          sso && {
            ...sso,
            domains: sso.domains.map((entry) => (entry.domain === checked.domain ? checked : entry)),
          },
      ),
  });
}
