import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { regelnQuery } from '../../api/queries.ts';
import type { Regel } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Consequences } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useRuleName } from '../eingriffe/index.ts';
import { BacktestResult } from './backtest-result.tsx';
import { hasBacktest } from './draft.ts';
import { useRuleTexts } from './rule-texts.ts';

type Change = { schattenbetrieb: boolean } | { aktiv: boolean };

/** Changes the state of a rule; `done` is what is said then. */
function useChange(rule: Regel, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ change }: { change: Change; done: string }) =>
      call('regelAendern', { params: { regel_id: rule.regel_id }, body: change }),
    onSuccess: async (_, { done }) => {
      await client.invalidateQueries({ queryKey: regelnQuery.queryKey });
      toast(done);
      onDone();
    },
  });
}

function ArmDialog({ rule, onClose }: { rule: Regel; onClose: () => void }) {
  const { t } = useTranslation();
  const nameOf = useRuleName();
  const { scopeText } = useRuleTexts();
  const arm = useChange(rule, onClose);
  return (
    <ConfirmDialog
      title={t('regeln.armTitle')}
      description={t('regeln.armText', { name: nameOf(rule) })}
      confirm={t('regeln.arm')}
      kind="primary"
      error={arm.error}
      busy={arm.isPending}
      onConfirm={() => arm.mutate({ change: { schattenbetrieb: false }, done: t('regeln.armedNote') })}
      onClose={onClose}
    >
      <Consequences
        points={[
          t(`eingriffe.actionText.${rule.stufe}`),
          rule.geltungsbereich === 'mandant'
            ? t('regeln.armScopeAll')
            : t('regeln.armScope', { scope: scopeText(rule) }),
          t('regeln.armReversible'),
        ]}
      />
      {hasBacktest(rule.typ) && <BacktestResult asked={{ regel_id: rule.regel_id }} />}
    </ConfirmDialog>
  );
}

function RemoveDialog({ rule, onClose }: { rule: Regel; onClose: () => void }) {
  const { t } = useTranslation();
  const nameOf = useRuleName();
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('regelEntfernen', { params: { regel_id: rule.regel_id } }),
    onSuccess: async () => {
      toast(t('regeln.removed'));
      await navigate({ to: '/regeln' });
      await client.invalidateQueries({ queryKey: regelnQuery.queryKey });
    },
  });
  return (
    <ConfirmDialog
      title={t('regeln.removeTitle')}
      description={t('regeln.removeText', { name: nameOf(rule) })}
      confirm={t('regeln.remove')}
      error={remove.error}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}

/** Arms a rule after asking, takes it back, pauses it, removes it. */
export function RuleActions({ rule }: { rule: Regel }) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const [asking, setAsking] = useState<'arm' | 'remove' | null>(null);
  const change = useChange(rule, () => undefined);
  const close = () => setAsking(null);
  const set = (what: Change, done: string) =>
    change.mutate({ change: what, done }, { onError: (error) => toast(sentence(error), 'harm') });
  return (
    <>
      {rule.schattenbetrieb ? (
        <Button kind="primary" onClick={() => setAsking('arm')}>
          {t('regeln.arm')}
        </Button>
      ) : (
        <Button
          disabled={change.isPending}
          onClick={() => set({ schattenbetrieb: true }, t('regeln.disarmedNote'))}
        >
          {t('regeln.disarm')}
        </Button>
      )}
      <Button
        disabled={change.isPending}
        onClick={() =>
          set({ aktiv: !rule.aktiv }, t(rule.aktiv ? 'regeln.pausedNote' : 'regeln.resumedNote'))
        }
      >
        {t(rule.aktiv ? 'regeln.pause' : 'regeln.resume')}
      </Button>
      <Button onClick={() => setAsking('remove')}>{t('regeln.remove')}</Button>
      {asking === 'arm' && <ArmDialog rule={rule} onClose={close} />}
      {asking === 'remove' && <RemoveDialog rule={rule} onClose={close} />}
    </>
  );
}
