import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import type { BetreiberMandant } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Consequences } from '../../ui/confirm-dialog.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { Facts } from '../../ui/facts.tsx';
import { SelectField, TextAreaField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.tsx';
import { QUOTA_FIELDS, QuotaFields, useQuotaText } from '../kontingente/index.ts';
import { changeOf, type Draft, draftOf } from './draft.ts';
import { PAKETE } from './search.ts';
import { useChangeMandant, useReactivate } from './use-mandanten.ts';
import { LimitUse, PackageName } from './words.tsx';

const billing = ['keine', 'aktiv', 'probe', 'zahlung_offen', 'gekündigt'] as const;

interface DialogProps {
  mandant: BetreiberMandant;
  onClose: () => void;
}

function MandantFacts({ mandant }: { mandant: BetreiberMandant }) {
  const { t } = useTranslation();
  const format = useFormat();
  const quotaText = useQuotaText();
  const facts = [
    { label: t('betreiber.package'), value: <PackageName mandant={mandant} /> },
    { label: t('betreiber.source'), value: t(`buchung.from.${mandant.quelle}`) },
    { label: t('betreiber.monthEvents'), value: <LimitUse mandant={mandant} /> },
    { label: t('betreiber.monthCost'), value: format.moneyExact(mandant.monat.kosten_eur) },
    { label: t('kontingente.title'), value: quotaText(mandant, 'byDefault') },
    {
      label: t('betreiber.users'),
      value: t('betreiber.usersAndKeys', { users: mandant.benutzer, keys: mandant.schluessel }),
    },
    { label: t('betreiber.since'), value: format.instant(mandant.erstellt_am, 'dateTime') },
    { label: t('betreiber.id'), value: <span className="font-mono text-xs">{mandant.mandant_id}</span> },
  ];
  return <Facts facts={facts} />;
}

function Reactivate({ mandant, onClose }: DialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [asking, setAsking] = useState(false);
  const reactivate = useReactivate(mandant.mandant_id, () => {
    toast(t('betreiber.reactivated', { firma: mandant.firma }));
    onClose();
  });
  if (!mandant.loeschung_ab) return null;
  return (
    <>
      <Notice
        tone="warn"
        action={<Button onClick={() => setAsking(true)}>{t('betreiber.reactivate')}</Button>}
      >
        {t('betreiber.cancelledUntil', { when: format.instant(mandant.loeschung_ab, 'dateTime') })}
      </Notice>
      {asking && (
        <ConfirmDialog
          title={t('betreiber.reactivateTitle', { firma: mandant.firma })}
          confirm={t('betreiber.reactivate')}
          kind="primary"
          busy={reactivate.isPending}
          error={reactivate.error}
          onConfirm={() => reactivate.mutate()}
          onClose={() => setAsking(false)}
        >
          <Consequences
            points={[
              t('betreiber.reactivateKeys'),
              t('betreiber.reactivateUsers'),
              t('betreiber.reactivateLog'),
            ]}
          />
        </ConfirmDialog>
      )}
    </>
  );
}

interface FieldsProps {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
  fieldError: (field: string) => string | undefined;
}

function Fields({ draft, onChange, fieldError }: FieldsProps) {
  const { t } = useTranslation();
  const packages = [
    { value: '', label: t('betreiber.nothingGiven') },
    ...PAKETE.map((value) => ({ value, label: t(`betreiber.paket.${value}`) })),
  ];
  return (
    <>
      <SelectField
        label={t('betreiber.givenPackage')}
        hint={t('betreiber.givenHint')}
        value={draft.paket}
        options={packages}
        onChange={(paket) => onChange({ paket })}
      />
      <DayField
        label={t('betreiber.lastDay')}
        hint={t('betreiber.lastDayHint')}
        disabled={draft.paket === ''}
        value={draft.paket === '' ? '' : draft.bis}
        error={fieldError('paket_bis')}
        onChange={(day) => onChange({ bis: day })}
      />
      <SelectField
        label={t('betreiber.billing')}
        value={draft.abrechnungsstatus}
        options={billing.map((value) => ({ value, label: t(`buchung.status.${value}`) }))}
        onChange={(abrechnungsstatus) => onChange({ abrechnungsstatus })}
      />
      <QuotaFields
        draft={draft.kontingent}
        hint={t('kontingente.emptyByDefault')}
        onChange={(kontingent) => onChange({ kontingent })}
        fieldError={fieldError}
      />
      <TextAreaField
        label={t('betreiber.note')}
        hint={t('betreiber.noteHint')}
        maxLength={500}
        value={draft.notiz}
        error={fieldError('betreiber_notiz')}
        onChange={(event) => onChange({ notiz: event.target.value })}
      />
    </>
  );
}

/** What changes, one point to a line. */
function usePoints(before: Draft, after: Draft): string[] {
  const { t } = useTranslation();
  const format = useFormat();
  const change = changeOf(before, after, format.language);
  const amount = (value: unknown) =>
    typeof value === 'number' ? format.count(value) : String(value ?? t('kontingente.byDefault'));
  const packageText = (paket: string) =>
    paket === '' ? t('betreiber.nothingGiven') : t(`betreiber.paket.${paket as (typeof PAKETE)[number]}`);
  return [
    ...('paket' in change
      ? [t('betreiber.changePackage', { from: packageText(before.paket), to: packageText(after.paket) })]
      : []),
    ...('paket_bis' in change
      ? [after.bis ? t('betreiber.changeEnd', { day: format.day(after.bis) }) : t('betreiber.changeNoEnd')]
      : []),
    ...('abrechnungsstatus' in change ? [t('betreiber.changeBilling')] : []),
    ...QUOTA_FIELDS.filter((field) => field in change).map(
      (field) => `${t(`kontingente.${field}`)}: ${amount(change[field])}`,
    ),
    ...('betreiber_notiz' in change ? [t('betreiber.changeNote')] : []),
    t('betreiber.changeLogged'),
  ];
}

interface ConfirmChangeProps extends DialogProps {
  points: string[];
  change: ReturnType<typeof useChangeMandant>;
  onConfirm: () => void;
}

/** Says what changes before it is done. */
function ConfirmChange({ mandant, points, change, onConfirm, onClose }: ConfirmChangeProps) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t('betreiber.confirmTitle', { firma: mandant.firma })}
      confirm={t('ui.save')}
      kind="primary"
      busy={change.isPending}
      error={change.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Consequences points={points} />
    </ConfirmDialog>
  );
}

/** Package, end, billing status, quota and note of a Mandant; what changes is said before it is done. */
export function MandantDialog({ mandant, onClose }: DialogProps) {
  const { t } = useTranslation();
  const { sentence, fieldError } = useErrorText();
  const { language } = useFormat();
  const before = draftOf(mandant);
  const [draft, setDraft] = useState(before);
  const [asking, setAsking] = useState(false);
  const change = useChangeMandant(mandant.mandant_id, () => {
    toast(t('betreiber.saved', { firma: mandant.firma }));
    onClose();
  });
  const points = usePoints(before, draft);
  const wish = changeOf(before, draft, language);
  // What a field is at fault for is said beside it.
  const { error } = change;
  const atFault = error instanceof ApiError && error.faults.length > 0;
  if (asking && !atFault)
    return (
      <ConfirmChange
        mandant={mandant}
        points={points}
        change={change}
        onConfirm={() => change.mutate(wish)}
        onClose={() => setAsking(false)}
      />
    );
  return (
    <FormDialog
      title={mandant.firma}
      confirm={t('betreiber.next')}
      error={atFault ? sentence(error) : undefined}
      disabled={Object.keys(wish).length === 0}
      onSubmit={() => {
        change.reset();
        setAsking(true);
      }}
      onClose={onClose}
    >
      <MandantFacts mandant={mandant} />
      <Reactivate mandant={mandant} onClose={onClose} />
      <Fields
        draft={draft}
        onChange={(part) => setDraft({ ...draft, ...part })}
        fieldError={(field) => fieldError(error, field)}
      />
    </FormDialog>
  );
}
