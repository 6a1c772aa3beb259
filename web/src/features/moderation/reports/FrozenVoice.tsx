import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { fetchMedia } from '../../../api/media.ts';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';

/** Plays a copied voice message, whose sound is loaded only when it is asked for; `url` is null if it isn't in the copy. */
export function FrozenVoice({ url }: { url: string | null }) {
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: async (address: string) => URL.createObjectURL(await fetchMedia(address)),
  });
  useEffect(() => () => URL.revokeObjectURL(data ?? ''), [data]);
  if (url === null) return t`A voice message of the reporter, which was not copied`;
  return data === undefined ? (
    <>
      <Button variant="default" size="sm" loading={isPending} onClick={() => mutate(url)}>
        {t`Play voice message`}
      </Button>
      <ErrorNotice error={error} text={() => t`Couldn't load the voice message. Try again.`} />
    </>
  ) : (
    <audio controls autoPlay src={data} aria-label={t`Voice message`}>
      <track kind="captions" />
    </audio>
  );
}
