import { useTranslation } from 'react-i18next';
import type { Lizenz } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';

type Licence = NonNullable<Lizenz['lizenz']>;
type ListState = NonNullable<Licence['sperrliste']>;

const Code = ({ text }: { text: string | null }) => (
  <code className="break-all font-mono text-xs">{text}</code>
);

function useListFacts({ nummer, ausgestellt_am, erreicht_am }: ListState) {
  const { t } = useTranslation();
  const format = useFormat();
  const known =
    nummer === null || ausgestellt_am === null
      ? t('buchung.licence.noList')
      : t('buchung.licence.numbered', { nummer, am: format.instant(ausgestellt_am, 'dateTime') });
  return [
    { label: t('buchung.licence.list'), value: known },
    {
      label: t('buchung.licence.reached'),
      value: erreicht_am ? format.instant(erreicht_am, 'dateTime') : t('buchung.licence.never'),
    },
  ];
}

function LicenceFacts({ licence, list }: { licence: Licence; list: ListState }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { lizenz_id, kunde, paket, gueltig_bis, mandanten, mandanten_belegt, fingerabdruck } = licence;
  const aboutList = useListFacts(list);
  const facts = [
    { label: t('buchung.licence.customer'), value: kunde },
    { label: t('buchung.package'), value: paket },
    {
      label: t('buchung.validUntil'),
      value: gueltig_bis ? format.instant(gueltig_bis, 'dateTime') : t('buchung.noEnd'),
    },
    {
      label: t('buchung.licence.tenants'),
      value: t('buchung.licence.taken', { belegt: mandanten_belegt, count: mandanten ?? 0 }),
    },
    ...aboutList,
    { label: t('buchung.licence.id'), value: <Code text={lizenz_id} /> },
    { label: t('buchung.licence.fingerprint'), value: <Code text={fingerabdruck} /> },
  ];
  return <Facts facts={facts} />;
}

/** That the list is not reached, why, and how long that is all right. */
function ListNotice({ list }: { list: ListState }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { nicht_erreicht_seit, arbeitet_bis, hindernis } = list;
  if (nicht_erreicht_seit === null) return null;
  const since = format.instant(nicht_erreicht_seit, 'dateTime');
  return (
    <Notice tone="warn">
      {t('buchung.licence.unreached', { since, until: format.instant(arbeitet_bis, 'dateTime') })}
      {hindernis && ` ${t(`buchung.licence.obstacle.${hindernis}`)}`}
    </Notice>
  );
}

function LicenceState({ licence }: { licence: Licence }) {
  const { t } = useTranslation();
  const { status, sperrliste } = licence;
  return (
    <div className="flex flex-col gap-3">
      {status !== 'gültig' && <Notice tone="warn">{t(`buchung.licence.why.${status}`)}</Notice>}
      {/* Nothing an invalid licence says is believed, so there is nothing to show of it. */}
      {sperrliste && <ListNotice list={sperrliste} />}
      {sperrliste && <LicenceFacts licence={licence} list={sperrliste} />}
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
        <LicenceState licence={licence} />
      ) : (
        <p className="max-w-prose text-ink-2">{t('buchung.licence.none')}</p>
      )}
    </Panel>
  );
}
