import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { type DateView, endDateShare, shareDate } from '#contract/dates.ts';
import { call } from '../../api/call.ts';
import { ErrorNotice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { TextField } from '../../ui/form/Field.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { t } from '../../ui/text/text.ts';
import { useDateCommand } from './queries.ts';

/** A link with which a friend can see where a member is meeting someone. */
export function ShareWithFriend({ matchId, name, date }: { matchId: string; name: string; date: DateView }) {
  const { _id: id, link } = date;
  const create = useDateCommand(matchId, () => call(shareDate, { params: { id } }));
  const end = useDateCommand(matchId, () => call(endDateShare, { params: { id } }));
  const [isCopied, setCopied] = useState(false);
  const copy = (text: string) =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <Stack gap="0.6rem">
      <Hint>
        {t(
          "Anyone with your link sees {name}'s first name and picture, and the time and place. {name} never learns of it. It ends 24 hours after the date, or when the date or the match ends.",
          { name },
        )}
      </Hint>
      <ErrorNotice error={create.error ?? end.error} text="Couldn't change the link: {error}" />
      {link === null ? (
        <Buttons>
          <BusyButton
            variant="default"
            isBusy={create.isPending}
            busyText={t('Creating link...')}
            onClick={() => create.mutate()}
          >
            {t('Share with a friend')}
          </BusyButton>
        </Buttons>
      ) : (
        <>
          <TextField
            label={t('Your link for a friend')}
            readOnly
            value={link}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <Buttons>
            <Button onClick={() => copy(link)}>{t('Copy link')}</Button>
            <BusyButton variant="default" isBusy={end.isPending} busyText={t('Ending...')} onClick={() => end.mutate()}>
              {t('End link')}
            </BusyButton>
          </Buttons>
          <Hint role="status">{isCopied && t('Copied. Paste it in a message to your friend.')}</Hint>
        </>
      )}
    </Stack>
  );
}
