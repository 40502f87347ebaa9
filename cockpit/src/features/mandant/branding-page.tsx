import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ichQuery, kontoQuery } from '../../api/queries.ts';
import type { Branding } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { ColorField } from '../../ui/color-field.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import { type BrandingTexts, defaultColor, StatementPreview } from './statement-preview.tsx';
import { useSetBranding } from './use-settings.ts';

const toTexts = ({ name, farbe, logo_url, fusszeile }: Branding): BrandingTexts => ({
  name: name ?? '',
  farbe: farbe ?? '',
  logo_url: logo_url ?? '',
  fusszeile: fusszeile ?? '',
});

interface FieldsProps {
  /** Stands where no name is set. */
  firma: string;
  texts: BrandingTexts;
  onChange: (texts: BrandingTexts) => void;
}

function Fields({ firma, texts, onChange, error }: FieldsProps & { error: unknown }) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const change = (part: Partial<BrandingTexts>) => onChange({ ...texts, ...part });
  return (
    <>
      <TextField
        label={t('branding.name')}
        hint={t('branding.nameHint', { firma })}
        autoComplete="off"
        value={texts.name}
        onChange={(event) => change({ name: event.target.value })}
        error={fieldError(error, 'name')}
      />
      <ColorField
        label={t('branding.color')}
        value={texts.farbe}
        fallback={defaultColor}
        onChange={(farbe) => change({ farbe })}
        error={fieldError(error, 'farbe')}
      />
      <TextField
        label={t('branding.logo')}
        hint={t('branding.logoHint')}
        type="url"
        autoComplete="off"
        placeholder="https://…"
        value={texts.logo_url}
        onChange={(event) => change({ logo_url: event.target.value })}
        error={fieldError(error, 'logo_url')}
      />
    </>
  );
}

function BrandingForm(props: FieldsProps) {
  const { t } = useTranslation();
  const { fieldError } = useErrorText();
  const { error, isPending, mutate } = useSetBranding(() => toast(t('branding.saved')));
  const { texts, onChange } = props;
  return (
    <Form confirm={t('ui.save')} error={error} busy={isPending} onSubmit={() => mutate(texts)}>
      <Fields {...props} error={error} />
      <TextAreaField
        label={t('branding.footer')}
        hint={t('branding.footerHint')}
        value={texts.fusszeile}
        onChange={(event) => onChange({ ...texts, fusszeile: event.target.value })}
        error={fieldError(error, 'fusszeile')}
      />
    </Form>
  );
}

function BrandingPanels({ stored, firma }: { stored: Branding; firma: string }) {
  const { t } = useTranslation();
  const [texts, setTexts] = useState(toTexts(stored));
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Panel title={t('branding.settings')}>
        <BrandingForm firma={firma} texts={texts} onChange={setTexts} />
      </Panel>
      <Panel title={t('branding.preview')}>
        <StatementPreview texts={texts} storedLogo={stored.logo_url} firma={firma} />
      </Panel>
    </div>
  );
}

/** How the Mandant appears to its end customers, with a preview that follows what is typed. */
export function BrandingPage(): ReactNode {
  const { t } = useTranslation();
  const firma = useQuery(ichQuery).data?.mandant.firma ?? '';
  const query = useQuery(kontoQuery);
  return (
    <Page title={t('branding.title')}>
      <p className="max-w-prose text-ink-2">{t('branding.text')}</p>
      <Loaded query={query} lines={6}>
        {({ branding }) => <BrandingPanels stored={branding} firma={firma} />}
      </Loaded>
    </Page>
  );
}
