import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { type BannerKind, getBanner } from '#contract/service/banner.ts';
import { inWords, languageIn, type Words } from '#contract/service/words.ts';
import { type DataOf, useEndpoint } from '../../api/endpoint-query.ts';
import { deviceStorage } from '../../browser-storage.ts';
import { ClosableNotice } from '../../ui/feedback/Notice.tsx';
import { markRoot } from '../../ui/shell/AppBar.tsx';
import { usePublishedHeight } from '../../ui/shell/use-published-height.ts';
import { language } from '../../ui/text/text.ts';
import classes from './banner.module.css';

/** The style of the notice for each kind of banner. */
export const bannerLooks = { news: 'info', maintenance: 'warning' } as const;

interface BannerWordsProps {
  kind: BannerKind;
  text: Words;
}

/** The kind of a banner, and its text in the reader's language. */
export function BannerWords({ kind, text }: BannerWordsProps) {
  return (
    <>
      <Text fw={600}>{kind === 'maintenance' ? t`Maintenance` : t`News`}</Text>
      <Text fz="note" lang={languageIn(text, language)} dir="auto" className={classes.text}>
        {inWords(text, language)}
      </Text>
    </>
  );
}

/** The longest timeout that browsers support. */
const longestMs = 2 ** 31 - 1;

/** The current time in ms, updated at each of these times. */
function useNowFrom(times: readonly number[]): number {
  const [now, setNow] = useState(() => Date.now());
  const next = Math.min(...times.filter((time) => time > now));
  useEffect(() => {
    if (next === Infinity) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(Math.max(0, next - Date.now()), longestMs));
    return () => clearTimeout(timer);
  }, [next, now]);
  return now;
}

const closedEntry = 'device:banner-closed';

type Banner = NonNullable<DataOf<typeof getBanner>['banner']>;

function BannerCard({ banner: { kind, text }, onClose }: { banner: Banner; onClose: () => void }) {
  return (
    <ClosableNotice kind={bannerLooks[kind]} isNews={false} onClose={onClose}>
      <BannerWords kind={kind} text={text} />
    </ClosableNotice>
  );
}

/** The current banner, from its start to its end, unless this device has closed it. */
function useBanner() {
  const { data, dataUpdatedAt } = useEndpoint(getBanner, {}, { staleTime: Infinity });
  const [closed, setClosed] = useState(() => deviceStorage.read(closedEntry));
  const banner = data?.banner ?? null;
  const startsAt = dataUpdatedAt + (banner?.startsInMs ?? 0);
  const endsAt = dataUpdatedAt + (banner?.endsInMs ?? 0);
  // An answer can be newer than the last update of the time, and must not hide what is shown until the next one.
  const now = Math.max(dataUpdatedAt, useNowFrom(banner === null ? [] : [startsAt, endsAt]));
  const isDue = banner !== null && banner.id !== closed && startsAt <= now && now < endsAt;

  function close(id: string) {
    deviceStorage.write(closedEntry, id);
    setClosed(id);
  }

  return { shown: isDue ? banner : null, close };
}

/**
 * The owner's text for members or staff. Nothing moves when it appears or disappears while a page is open: it overlays the top of the page,
 * gets its own space on the next one, and keeps that space until then.
 */
export function ServiceBanner() {
  const { shown, close } = useBanner();
  const { pathname } = useLocation();
  const [room, setRoom] = useState<{ pathname: string; of: Banner | null }>({ pathname, of: null });
  if (room.pathname !== pathname) setRoom({ pathname, of: shown });
  const floats = shown !== null && shown.id !== room.of?.id;
  const isOver = room.of !== null && room.of.id !== shown?.id;
  const place = useRef<HTMLDivElement>(null);
  usePublishedHeight('--hw-banner-height', place, room.of !== null);
  useEffect(() => (floats ? markRoot('data-banner') : undefined), [floats]);

  function closeShown({ id }: Banner) {
    if (!floats) setRoom({ pathname, of: null });
    close(id);
  }

  return (
    <div ref={place} aria-live="polite" className={classes.place} data-floats={floats || undefined}>
      {shown && (
        <div className={classes.shown}>
          <BannerCard banner={shown} onClose={() => closeShown(shown)} />
        </div>
      )}
      {room.of !== null && isOver && (
        <div className={classes.room} style={{ visibility: 'hidden' }}>
          <BannerCard banner={room.of} onClose={() => undefined} />
        </div>
      )}
    </div>
  );
}
