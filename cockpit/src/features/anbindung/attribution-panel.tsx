import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { Form, textOf } from '../../ui/form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import {
  NAMES,
  OWN_PLACES,
  useAttribution,
  useMaySetAttribution,
  useSetAttribution,
  type Zuordnung,
} from './use-attribution.ts';

/** Names as they are typed: with commas or spaces between them. */
const namesIn = (text: string): string[] => text.split(/[\s,;]+/).filter((name) => name !== '');

interface AttributionFormProps {
  stands: Zuordnung;
  /** What of it the form changes. */
  read: (form: FormData) => Partial<Zuordnung>;
  children: ReactNode;
}

function AttributionForm({ stands, read, children }: AttributionFormProps) {
  const { t } = useTranslation();
  const save = useSetAttribution(() => toast(t('codingAgents.saved')));
  return (
    <Form
      confirm={t('codingAgents.save')}
      error={save.error}
      busy={save.isPending}
      onSubmit={(form) => save.mutate({ ...stands, ...read(form) })}
    >
      {children}
    </Form>
  );
}

interface NameFieldProps {
  name: string;
  label: string;
  hint?: string;
  value: string;
}

const NameField = ({ name, label, hint, value }: NameFieldProps) => (
  <TextField
    name={name}
    label={label}
    {...(hint === undefined ? {} : { hint })}
    defaultValue={value}
    autoComplete="off"
    spellCheck={false}
    className="font-mono text-sm"
  />
);

function NamesForm({ stands }: { stands: Zuordnung }) {
  const { t } = useTranslation();
  const read = (form: FormData) =>
    Object.fromEntries(NAMES.map((name) => [name, namesIn(textOf(form, name))]));
  return (
    <AttributionForm stands={stands} read={read}>
      <div className="grid gap-4 md:grid-cols-3">
        {NAMES.map((name) => (
          <NameField
            key={name}
            name={name}
            label={t(`codingAgents.names.${name}`)}
            hint={t(`codingAgents.known.${name}`)}
            value={stands[name].join(', ')}
          />
        ))}
      </div>
    </AttributionForm>
  );
}

/** By which names programs that emit OpenTelemetry name end customer, function and project; for those who administer. */
export function AttributionPanel() {
  const { t } = useTranslation();
  const may = useMaySetAttribution();
  const stands = useAttribution();
  if (!may || !stands) return null;
  return (
    <Panel title={t('codingAgents.attributes')}>
      <p className="mb-3 max-w-prose text-sm text-ink-2">{t('codingAgents.attributesText')}</p>
      <NamesForm key={JSON.stringify(stands)} stands={stands} />
    </Panel>
  );
}

const ownKeys = (form: FormData): Partial<Zuordnung> => {
  const keys = OWN_PLACES.map((place) => textOf(form, `merkmal_${place + 1}`).trim());
  return { merkmale: keys.slice(0, keys.findLastIndex((key) => key !== '') + 1) };
};

const OwnDimensionsForm = ({ stands }: { stands: Zuordnung }) => (
  <AttributionForm stands={stands} read={ownKeys}>
    <div className="grid gap-4 md:grid-cols-5">
      {OWN_PLACES.map((place) => (
        <NameField
          key={place}
          name={`merkmal_${place + 1}`}
          label={`merkmal_${place + 1}`}
          value={stands.merkmale[place] ?? ''}
        />
      ))}
    </div>
  </AttributionForm>
);

/** Which keys of the free data of calls are dimensions; for those who administer. */
export function OwnDimensionsPanel() {
  const { t } = useTranslation();
  const may = useMaySetAttribution();
  const stands = useAttribution();
  if (!may || !stands) return null;
  return (
    <Panel title={t('codingAgents.ownDimensions')}>
      <p className="mb-3 max-w-prose text-sm text-ink-2">{t('codingAgents.ownDimensionsText')}</p>
      <OwnDimensionsForm key={JSON.stringify(stands)} stands={stands} />
    </Panel>
  );
}

/** Whether what a subscription pays for is on the end customers' bills. */
export function SubscriptionSwitch() {
  const { t } = useTranslation();
  const may = useMaySetAttribution();
  const stands = useAttribution();
  // Shows at once; waiting for the answer, the box would jump back first.
  const [wanted, setWanted] = useState<boolean | null>(null);
  const { mutate, isPending, error } = useSetAttribution(() => toast(t('codingAgents.saved')));
  if (!stands) return null;
  return (
    <>
      <CheckField
        label={t('codingAgents.passOn')}
        hint={t('codingAgents.passOnHint')}
        checked={wanted ?? stands.abo_weiterbelasten}
        disabled={isPending || !may}
        onChange={(event) => {
          const abo_weiterbelasten = event.target.checked;
          setWanted(abo_weiterbelasten);
          mutate({ ...stands, abo_weiterbelasten }, { onSettled: () => setWanted(null) });
        }}
      />
      {error && <ErrorNotice error={error} />}
    </>
  );
}
