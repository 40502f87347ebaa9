import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Regel, Regeltyp, Stufe } from '../../api/types.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type Draft, levelsOf } from './draft.ts';
import type { FieldsProps } from './fields.ts';
import { ParameterFields } from './parameter-fields.tsx';
import { ThresholdFields } from './threshold-fields.tsx';
import { useReferences } from './use-references.ts';

interface RuleFormProps extends FieldsProps {
  types: Regeltyp[];
  levels: Stufe[];
  isNew: boolean;
  readOnly: boolean;
  error: unknown;
  busy: boolean;
  onSubmit: () => void;
}

/** Whatever of a rule may be set, made from the catalogue of its type. */
export function RuleForm(props: RuleFormProps) {
  const { draft, type, types, levels, isNew, readOnly, fault, onChange } = props;
  const { t } = useTranslation();
  return (
    <fieldset disabled={readOnly} className="min-w-0">
      <Form
        confirm={t(isNew ? 'regeln.create' : 'ui.save')}
        error={props.error}
        busy={props.busy}
        disabled={readOnly}
        onSubmit={props.onSubmit}
      >
        {isNew && <Notice>{t('regeln.createShadow')}</Notice>}
        <SelectField
          label={t('regeln.type')}
          value={draft.typ}
          options={types.map(({ typ }) => ({ value: typ, label: t(`regeln.typ.${typ}`) }))}
          onChange={(value) => onChange({ typ: value as Draft['typ'] })}
          error={fault('typ')}
        />
        <TextField
          label={t('regeln.name')}
          hint={isNew && t('regeln.nameHint')}
          value={draft.name}
          maxLength={120}
          autoComplete="off"
          onChange={(event) => onChange({ name: event.target.value })}
          error={fault('name')}
        />
        <ScopeFields draft={draft} type={type} fault={fault} onChange={onChange} />
        <ThresholdFields draft={draft} type={type} fault={fault} onChange={onChange} />
        <SelectField
          label={t('regeln.level')}
          hint={t(`eingriffe.actionText.${draft.stufe}`)}
          value={draft.stufe}
          options={levelsOf(type, levels).map((value) => ({
            value,
            label: t(`eingriffe.action.${value}`),
          }))}
          onChange={(value) => onChange({ stufe: value as Stufe })}
          error={fault('stufe')}
        />
        <ParameterFields draft={draft} type={type} fault={fault} onChange={onChange} />
      </Form>
    </fieldset>
  );
}

/** What the rule holds for; of a single thing its name, with those that are known as suggestions. */
function ScopeFields({ draft, type, fault, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const list = useId();
  const scope = draft.geltungsbereich;
  const known = useReferences(scope);
  return (
    <>
      <SelectField
        label={t('regeln.scope')}
        value={scope}
        options={type.bereiche.map((value) => ({ value, label: t(`regeln.scopeOf.${value}`) }))}
        onChange={(value) => onChange({ geltungsbereich: value as Regel['geltungsbereich'], bezug_id: '' })}
        error={fault('geltungsbereich')}
      />
      {scope !== 'mandant' && (
        <>
          <TextField
            label={t(`regeln.which.${scope}`)}
            value={draft.bezug_id}
            list={list}
            autoComplete="off"
            onChange={(event) => onChange({ bezug_id: event.target.value })}
            error={fault('bezug_id')}
          />
          <datalist id={list}>
            {known.map((value) => (
              <option key={value} value={value} />
            ))}
          </datalist>
        </>
      )}
    </>
  );
}
