import { useTranslation } from 'react-i18next';
import type { Lizenz } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';

type Licence = NonNullable<Lizenz['lizenz']>;

function useFacts({ lizenz_id, kunde, paket, gueltig_bis }: Licence) {
  const { t } = useTranslation();
  const format = useFormat();
  return [
    { label: t('buchung.licence.customer'), value: kunde },
    { label: t('buchung.package'), value: paket },
    {
      label: t('buchung.validUntil'),
      value: gueltig_bis ? format.instant(gueltig_bis, 'dateTime') : t('buchung.noEnd'),
    },
    { label: t('buchung.licence.id'), value: <code className="font-mono text-xs">{lizenz_id}</code> },
  ];
}

function LicenceFacts({ licence }: { licence: Licence }) {
  const { t } = useTranslation();
  const facts = useFacts(licence);
  const { status } = licence;
  return (
    <div className="flex flex-col gap-3">
      {status !== 'gültig' && <Notice tone="warn">{t(`buchung.licence.why.${status}`)}</Notice>}
      {/* Nothing an invalid licence says is believed, so there is nothing to show of it. */}
      {status !== 'ungültig' && <Facts facts={facts} />}
    </div>
  );
}

/** The licence of the installation, where it has one. */
export function LicencePanel({ licence }: { licence: Lizenz['lizenz'] }) {
  const { t } = useTranslation();
  const badge = licence && (
    <Badge tone={licence.status === 'gültig' ? 'good' : 'warn'}>
      {t(`buchung.licence.status.${licence.status}`)}
    </Badge>
  );
  return (
    <Panel title={t('buchung.licence.title')} aside={badge}>
      {licence ? (
        <LicenceFacts licence={licence} />
      ) : (
        <p className="max-w-prose text-ink-2">{t('buchung.licence.none')}</p>
      )}
    </Panel>
  );
}
