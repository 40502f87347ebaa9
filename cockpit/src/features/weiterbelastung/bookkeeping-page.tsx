import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { buchhaltungQuery } from '../../api/queries.ts';
import type { Buchhaltung } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Draft, GROUPS, type SettingName, toBody, toDraft } from './bookkeeping-draft.ts';
import { SettingField } from './bookkeeping-fields.tsx';
import { useReadAnew } from './use-customers.ts';

const groups = Object.keys(GROUPS) as (keyof typeof GROUPS)[];

const isSetting = (name: string): name is SettingName =>
  Object.values(GROUPS).some((names) => (names as readonly string[]).includes(name));

/** What a booking batch still lacks, and what of the settings it is refused for. */
function Readiness({ fehlt, hinweise }: Pick<Buchhaltung, 'fehlt' | 'hinweise'>) {
  const { t } = useTranslation();
  const namesOf = (fields: string[]) =>
    fields.map((name) => (isSetting(name) ? t(`buchhaltung.field.${name}`) : name)).join(', ');
  const wrong = new Set(hinweise.filter(({ schwere }) => schwere === 'fehler').map(({ feld }) => feld));
  if (fehlt.length === 0 && wrong.size === 0) return <Notice tone="good">{t('buchhaltung.complete')}</Notice>;
  return (
    <Notice tone="warn">
      {fehlt.length > 0 && <p>{t('buchhaltung.missing', { names: namesOf(fehlt) })}</p>}
      {wrong.size > 0 && <p>{t('buchhaltung.wrong', { names: namesOf([...wrong]) })}</p>}
    </Notice>
  );
}

function useSave() {
  const { t } = useTranslation();
  const { language } = useFormat();
  const client = useQueryClient();
  const readAnew = useReadAnew();
  return useMutation({
    mutationFn: (draft: Draft) => call('buchhaltungSetzen', { body: toBody(draft, language) }),
    onSuccess: async (stored) => {
      client.setQueryData(buchhaltungQuery.queryKey, stored);
      await readAnew();
      toast(t('buchhaltung.saved'));
    },
  });
}

function SettingsForm({ stored }: { stored: Buchhaltung }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const [draft, setDraft] = useState(() => toDraft(stored, language));
  const { error, isPending, mutate } = useSave();
  return (
    <Form confirm={t('ui.save')} error={error} busy={isPending} onSubmit={() => mutate(draft)}>
      {groups.map((group) => (
        <Panel key={group} title={t(`buchhaltung.group.${group}`)}>
          <p className="mb-3 max-w-prose text-sm text-ink-2">{t(`buchhaltung.groupText.${group}`)}</p>
          <div className="grid max-w-2xl items-start gap-4 sm:grid-cols-2">
            {GROUPS[group].map((name) => (
              <SettingField
                key={name}
                name={name}
                draft={draft}
                error={error}
                hints={stored.hinweise}
                onChange={setDraft}
              />
            ))}
          </div>
        </Panel>
      ))}
      <p className="max-w-prose text-sm text-ink-3">{t('buchhaltung.closedKeep')}</p>
    </Form>
  );
}

/** The settings of accounting: numbers and accounts of the booking batch, tax, what is charged. */
export function BookkeepingPage(): ReactNode {
  const { t } = useTranslation();
  const query = useQuery(buchhaltungQuery);
  return (
    <Page title={t('buchhaltung.title')}>
      <p className="-mt-2 max-w-prose text-sm text-ink-2">{t('buchhaltung.text')}</p>
      <Loaded query={query} lines={8}>
        {(stored) => (
          <>
            <Readiness fehlt={stored.fehlt} hinweise={stored.hinweise} />
            <SettingsForm stored={stored} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
