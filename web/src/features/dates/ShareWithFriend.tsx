import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type DateView, endDateShare, shareDate } from '#contract/dates.ts';
import { call } from '../../api/call.ts';
import { ErrorNotice } from '../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { TextField } from '../../ui/form/Field.tsx';
import { Buttons } from '../../ui/layout/Rows.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { useDateCommand } from './queries.ts';

/** A link with which a friend can see where a member is meeting someone. */
export function ShareWithFriend({ matchId, name, date }: { matchId: string; name: string; date: DateView }) {
  const { _id: id, link } = date;
  // The result of the last press, which is only true of the link that it is about.
  const [said, setSaid] = useState<{ about: string | null; text: string } | null>(null);
  const create = useDateCommand(matchId, async () => {
    const { data } = await call(shareDate, { params: { id } });
    setSaid({ about: data.date.link, text: t`Your link is ready.` });
  });
  const end = useDateCommand(matchId, async () => {
    await call(endDateShare, { params: { id } });
    setSaid({ about: null, text: t`Your link has ended.` });
  });
  const isTrue = said?.about === link;
  const place = useRef<HTMLDivElement>(null);
  // The pressed button has disappeared.
  useEffect(() => {
    const hasLost = document.activeElement === document.body;
    if (isTrue && hasLost) place.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [isTrue, link]);

  async function copy(text: string) {
    try {
      await navigator.clipboard.writeText(text);
      setSaid({ about: text, text: t`Copied. Paste it in a message to your friend.` });
    } catch {
      setSaid({ about: text, text: t`Couldn't copy. Select the link and copy it.` });
    }
  }

  return (
    <Stack ref={place} gap="0.6rem">
      <Hint>
        {t`Anyone with your link sees ${name}'s first name and picture, and the time and place. ${name} never learns of it. It ends 24 hours after the date, or when you cancel the date or end the match.`}
      </Hint>
      <ErrorNotice error={create.error ?? end.error} text={(error) => t`Couldn't change the link: ${error}`} />
      {link === null ? (
        <Buttons>
          <BusyButton
            variant="default"
            isBusy={create.isPending}
            busyText={t`Creating link...`}
            onClick={() => create.mutate()}
          >
            {t`Share with a friend`}
          </BusyButton>
        </Buttons>
      ) : (
        <>
          <TextField
            label={t`Your link for a friend`}
            readOnly
            value={link}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <Buttons>
            <Button onClick={() => void copy(link)}>{t`Copy link`}</Button>
            <BusyButton
              variant="default"
              isBusy={end.isPending}
              busyText={t({ message: 'Ending...', context: 'link' })}
              onClick={() => end.mutate()}
            >
              {t`End link`}
            </BusyButton>
          </Buttons>
        </>
      )}
      <Hint role="status">{isTrue && said.text}</Hint>
    </Stack>
  );
}
