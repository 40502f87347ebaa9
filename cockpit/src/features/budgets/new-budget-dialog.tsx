import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { agentenQuery, anbindungQuery, projekteQuery } from '../../api/queries.ts';
import type { Budget } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { readNumber } from '../../format/typed-number.ts';
import { useFormat } from '../../format/use-format.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { AmountField, type Level, LevelField } from './budget-fields.tsx';
import { useSetBudget } from './use-set-budget.ts';

type Kind = Budget['objekt_art'];
/** In the order they are offered in. */
export const KINDS: readonly Kind[] = ['agent', 'projekt', 'endkunde', 'funktion', 'benutzer', 'schluessel'];

/** Agents, projects or active keys to choose from; null for kinds that are named by their reference. */
function useChoices(kind: Kind): { value: string; label: string }[] | null {
  const agents = useQuery({ ...agentenQuery('30tage'), enabled: kind === 'agent' }).data?.agenten ?? [];
  const projects = useQuery({ ...projekteQuery, enabled: kind === 'projekt' }).data?.projekte ?? [];
  const keys = useQuery({ ...anbindungQuery, enabled: kind === 'schluessel' }).data?.schluessel ?? [];
  if (kind === 'schluessel')
    return keys
      .filter(({ status }) => status === 'aktiv')
      .map(({ schluessel_id, name }) => ({ value: schluessel_id, label: name }));
  if (kind === 'agent') return agents.map(({ agent_id, name }) => ({ value: agent_id, label: name }));
  if (kind === 'projekt') return projects.map(({ projekt_id, name }) => ({ value: projekt_id, label: name }));
  return null;
}

interface ObjectFieldProps {
  kind: Kind;
  choices: { value: string; label: string }[] | null;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
}

/** Which one of the kind: chosen, or named by its reference. */
function ObjectField({ kind, choices, value, onChange, error }: ObjectFieldProps) {
  const { t } = useTranslation();
  const label = t(`budgets.which.${kind}`);
  if (choices) return <SelectField label={label} value={value} options={choices} onChange={onChange} />;
  return (
    <TextField
      label={label}
      hint={t('budgets.referenceHint')}
      value={value}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      error={error}
    />
  );
}

/** Sets a budget for what is chosen first. */
export function NewBudgetDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { sentence, fieldError } = useErrorText();
  const [kind, setKind] = useState<Kind>('agent');
  const [named, setNamed] = useState<string | null>(null);
  const [amount, setAmount] = useState('');
  const [level, setLevel] = useState<Level>('warnen');
  const save = useSetBudget(onClose);
  const choices = useChoices(kind);
  const objekt_id = named ?? choices?.[0]?.value ?? '';
  const choose = (value: string) => {
    setKind(KINDS.find((each) => each === value) ?? 'agent');
    setNamed(null);
  };
  return (
    <FormDialog
      title={t('budgets.dialog')}
      description={t('budgets.hint')}
      confirm={t('ui.save')}
      error={save.error ? sentence(save.error) : undefined}
      busy={save.isPending}
      disabled={objekt_id === ''}
      onSubmit={() =>
        save.mutate({
          of: { objekt_art: kind, objekt_id },
          betrag_eur: readNumber(amount, language),
          bei_erreichen: level,
        })
      }
      onClose={onClose}
    >
      <SelectField
        label={t('budgets.forWhat')}
        value={kind}
        options={KINDS.map((each) => ({ value: each, label: t(`budgets.kind.${each}`) }))}
        onChange={choose}
      />
      <ObjectField
        kind={kind}
        choices={choices}
        value={objekt_id}
        onChange={setNamed}
        error={fieldError(save.error, 'objekt')}
      />
      <AmountField value={amount} onChange={setAmount} error={save.error} />
      <LevelField value={level} onChange={setLevel} />
    </FormDialog>
  );
}
