import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Alarmkanaele } from '../../api/types.ts';
import { useErrorText } from '../../api/use-error-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Item, ItemList } from '../../ui/item-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toast.tsx';
import { ProbeResult } from './probe-result.tsx';
import { useProbe, useSetAlarme } from './use-alarms.ts';

const channels = ['chatA_webhook', 'chatB_webhook', 'push_url', 'webhook_url'] as const;
type Channel = (typeof channels)[number];

interface ChannelDialogProps {
  channel: Channel;
  onClose: () => void;
}

/** Takes the address of a channel; it is not shown again afterwards. */
function SetDialog({ channel, onClose }: ChannelDialogProps) {
  const { t } = useTranslation();
  const { sentence, fieldError } = useErrorText();
  const [address, setAddress] = useState('');
  const name = t(`alarme.channel.${channel}`);
  const { error, isPending, mutate } = useSetAlarme(() => {
    toast(t('alarme.channelSet', { name }));
    onClose();
  });
  return (
    <FormDialog
      title={name}
      description={t(`alarme.channelHint.${channel}`)}
      confirm={t('ui.save')}
      error={error ? sentence(error) : undefined}
      busy={isPending}
      disabled={address.trim() === ''}
      onSubmit={() => mutate({ [channel]: address.trim() })}
      onClose={onClose}
    >
      <TextField
        label={t('alarme.address')}
        hint={t('alarme.addressHint')}
        type="url"
        autoComplete="off"
        autoFocus
        spellCheck={false}
        placeholder="https://…"
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        error={fieldError(error, channel)}
      />
    </FormDialog>
  );
}

function RemoveDialog({ channel, shown, onClose }: ChannelDialogProps & { shown: string }) {
  const { t } = useTranslation();
  const name = t(`alarme.channel.${channel}`);
  const { error, isPending, mutate } = useSetAlarme(() => {
    toast(t('alarme.channelRemoved', { name }));
    onClose();
  });
  return (
    <ConfirmDialog
      title={t('alarme.removeTitle', { name })}
      description={t('alarme.removeText', { address: shown })}
      confirm={t('alarme.remove')}
      error={error}
      busy={isPending}
      onConfirm={() => mutate({ [channel]: null })}
      onClose={onClose}
    />
  );
}

interface ChannelItemProps {
  channel: Channel;
  /** Host of what is set; null when nothing is. */
  shown: string | null;
  onSet: () => void;
  onRemove: () => void;
}

function ChannelItem({ channel, shown, onSet, onRemove }: ChannelItemProps) {
  const { t } = useTranslation();
  const name = t(`alarme.channel.${channel}`);
  const isSet = shown !== null;
  const probe = useProbe();
  return (
    <Item
      title={name}
      badge={<Badge tone={isSet ? 'good' : 'neutral'}>{t(isSet ? 'alarme.set' : 'alarme.notSet')}</Badge>}
      action={
        <span className="flex shrink-0 flex-col gap-2 sm:flex-row">
          <Button
            aria-label={t(isSet ? 'alarme.replaceNamed' : 'alarme.setUpNamed', { name })}
            onClick={onSet}
          >
            {t(isSet ? 'alarme.replace' : 'alarme.setUp')}
          </Button>
          {isSet && (
            <>
              <Button
                aria-label={t('alarme.probeNamed', { name })}
                busy={probe.isPending}
                onClick={() => probe.mutate(channel)}
              >
                {t('alarme.probe')}
              </Button>
              <Button aria-label={t('alarme.removeNamed', { name })} onClick={onRemove}>
                {t('alarme.remove')}
              </Button>
            </>
          )}
        </span>
      }
    >
      <span className="[overflow-wrap:anywhere]">{shown ?? t(`alarme.channelHint.${channel}`)}</span>
      {isSet && <ProbeResult probe={probe} />}
    </Item>
  );
}

/** The channels beside mail. Their addresses are secrets: entered, replaced, removed, never shown. */
export function ChannelsPanel({ channels: current }: { channels: Alarmkanaele }) {
  const { t } = useTranslation();
  const [setting, setSetting] = useState<Channel | null>(null);
  const [removing, setRemoving] = useState<Channel | null>(null);
  return (
    <Panel title={t('alarme.channels')} flush>
      <ItemList label={t('alarme.channels')}>
        {channels.map((channel) => (
          <ChannelItem
            key={channel}
            channel={channel}
            shown={current[channel]}
            onSet={() => setSetting(channel)}
            onRemove={() => setRemoving(channel)}
          />
        ))}
      </ItemList>
      {setting && <SetDialog channel={setting} onClose={() => setSetting(null)} />}
      {removing && (
        <RemoveDialog channel={removing} shown={current[removing] ?? ''} onClose={() => setRemoving(null)} />
      )}
    </Panel>
  );
}
