import { useTranslation } from 'react-i18next';
import type { Alarm, Zustellung } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';
import { useRepeat } from './use-alarms.ts';

const tones = { wartet: 'accent', zugestellt: 'good', aufgegeben: 'harm', entfallen: 'neutral' } as const;

/** How it went, in a line below: why it failed, or when it was. */
function Outcome({ delivery }: { delivery: Zustellung }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { fehler, versuche, versucht_am } = delivery;
  const when = versucht_am && format.instant(versucht_am, 'dateTime');
  const tries = versuche > 1 ? t('alarme.log.tries', { count: versuche }) : null;
  return (
    <span className="text-xs text-ink-3 [overflow-wrap:anywhere]">
      {[fehler?.[format.language], when, tries].filter(Boolean).join(' · ')}
    </span>
  );
}

function Delivery({ delivery }: { delivery: Zustellung }) {
  const { t } = useTranslation();
  const { sentence } = useErrorText();
  const repeat = useRepeat();
  const { zustellung_id, kanal, status } = delivery;
  const name = t(`alarme.channel.${kanal}`);
  // What the mail server makes of it is not known here.
  const isQueued = kanal === 'email' && status === 'zugestellt';
  const again = () =>
    repeat.mutate(zustellung_id, {
      onSuccess: () => toast(t('alarme.log.repeated', { name })),
      onError: (error) => toast(sentence(error), 'harm'),
    });
  return (
    <li className="flex items-center gap-2">
      <span className="flex min-w-0 grow flex-col">
        <span className="flex flex-wrap items-center gap-2">
          {name}
          {isQueued ? (
            <Badge tone="accent">{t('alarme.mailQueued')}</Badge>
          ) : (
            <Badge tone={tones[status]}>{t(`alarme.state.${status}`)}</Badge>
          )}
        </span>
        <Outcome delivery={delivery} />
      </span>
      {status !== 'wartet' && (
        <Button
          kind="quiet"
          className="-mr-3"
          aria-label={t('alarme.log.repeatNamed', { name })}
          busy={repeat.isPending}
          onClick={again}
        >
          {t('alarme.log.repeat')}
        </Button>
      )}
    </li>
  );
}

/** One line for each channel, or why there is none. */
export function DeliveriesCell({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { gehalten_bis: until, sammlung_id, zustellungen } = alarm;
  const held = until && (sammlung_id ? t('alarme.log.inDigest') : null);
  const waits = until && !sammlung_id && t('alarme.log.held', { time: format.instant(until, 'dateTime') });
  const note = held || waits || (zustellungen.length === 0 ? t('alarme.log.nowhere') : null);
  return (
    <ul className="flex @3xl:min-w-80 flex-col gap-1 py-1">
      {zustellungen.map((delivery) => (
        <Delivery key={delivery.zustellung_id} delivery={delivery} />
      ))}
      {note && <li className="text-xs text-ink-3">{note}</li>}
    </ul>
  );
}

const levelTones = {
  beobachten: 'neutral',
  warnen: 'warn',
  drosseln: 'warn',
  anhalten: 'harm',
  sperren: 'harm',
} as const;

/** What was told. Where there is no room for their columns, also when and through which channels. */
export function AlarmCell({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { art, stufe, titel, text, zeitpunkt } = alarm;
  return (
    <div className="flex flex-col gap-0.5 py-1">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium [overflow-wrap:anywhere]">{titel[format.language]}</span>
        {art === 'alarm' ? (
          <Badge tone={levelTones[stufe]}>{t(`alarme.level.${stufe}`)}</Badge>
        ) : (
          <Badge tone={art === 'entwarnung' ? 'good' : 'neutral'}>{t(`alarme.kind.${art}`)}</Badge>
        )}
      </p>
      <p className="text-xs whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]">
        {text[format.language]}
      </p>
      <p className="text-xs text-ink-3 @lg:hidden">{format.instant(zeitpunkt, 'dateTime')}</p>
      <div className="@3xl:hidden">
        <DeliveriesCell alarm={alarm} />
      </div>
    </div>
  );
}
