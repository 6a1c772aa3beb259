import { Box, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { poses, type QueuedSelfie } from '#contract/photo-verification.ts';
import { Picture } from '../../../ui/data/Picture.tsx';
import { RichText } from '../../../ui/data/RichText.tsx';
import { Tag } from '../../../ui/data/Tag.tsx';
import { Time } from '../../../ui/data/Time.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { t } from '../../../ui/text/text.ts';
import { LargePicture } from '../pictures/PictureDialog.tsx';
import { pictureStateWords } from '../pictures/picture-data.ts';
import classes from '../pictures/pictures.module.css';

/** The name of the person, with their age if it is known. */
export function personWords({ name, age }: QueuedSelfie['user']): string {
  const known = name ?? t('Unknown');
  return age === null ? known : t('{name}, {age}', { name: known, age: formatNumber(age) });
}

function Facts({ selfie }: { selfie: QueuedSelfie }) {
  const { user, pose, sentAt, rejectedBefore } = selfie;
  return (
    <Group gap="0.25rem 1rem">
      <Text fw={600}>
        <Link to={`/users/${user._id}`}>
          <bdi>{personWords(user)}</bdi>
        </Link>
      </Text>
      <Text>{t('Pose: {pose}', { pose: t(poses[pose]) })}</Text>
      <Hint>
        <RichText text="Waiting since {time}" parts={{ time: <Time at={sentAt} /> }} />
      </Hint>
      {rejectedBefore > 0 && (
        <Tag tone="attention">
          {t('{count, plural, one {Rejected once before} other {Rejected # times before}}', { count: rejectedBefore })}
        </Tag>
      )}
    </Group>
  );
}

function Shown({ caption, children }: { caption: string; children: ReactNode }) {
  return (
    <Stack component="figure" gap="0.35rem" miw={0} m={0}>
      {children}
      <Hint component="figcaption">{caption}</Hint>
    </Stack>
  );
}

interface SelfieStageProps {
  selfie: QueuedSelfie;
  /** The position of the profile's picture that the selfies are compared with. */
  compared: number;
  onCompare: (at: number) => void;
  isZoomed: boolean;
  onZoom: () => void;
}

/** Both selfies next to one picture of the profile, and the profile's other pictures below; pressing a picture enlarges all three. */
export function SelfieStage({ selfie, compared, onCompare, isZoomed, onZoom }: SelfieStageProps) {
  const picture = selfie.pictures[compared];
  const least = isZoomed ? 'min(30rem, 100%)' : 'min(11rem, 45%)';
  const zoomLabel = isZoomed ? t('Make the pictures smaller') : t('Enlarge the pictures');
  const enlarge = (content: ReactNode) => (
    <button type="button" className={classes.thumbnail} aria-label={zoomLabel} title={zoomLabel} onClick={onZoom}>
      {content}
    </button>
  );
  const image = (url: string) => <img src={url} alt="" style={{ display: 'block', width: '100%' }} />;
  return (
    <Stack>
      <Facts selfie={selfie} />
      <Box
        display="grid"
        style={{ gridTemplateColumns: `repeat(auto-fit, minmax(${least}, 1fr))`, gap: '0.75rem', alignItems: 'start' }}
        maw={isZoomed ? undefined : '64rem'}
      >
        <Shown caption={t('Selfie: face')}>{enlarge(image(selfie.frontUrl))}</Shown>
        <Shown caption={t('Selfie: pose')}>{enlarge(image(selfie.posedUrl))}</Shown>
        {picture && (
          <Shown
            caption={t('Picture {place} of {count}: {state}', {
              place: formatNumber(compared + 1),
              count: formatNumber(selfie.pictures.length),
              state: t(pictureStateWords[picture.state]),
            })}
          >
            {enlarge(<LargePicture picture={picture} alt="" />)}
          </Shown>
        )}
      </Box>
      {selfie.pictures.length > 1 && (
        <Group component="ul" gap="0.5rem" aria-label={t('Pictures of the profile')}>
          {selfie.pictures.map((one, at) => (
            <Box component="li" key={one.publicId} w="4.5rem">
              <button
                type="button"
                className={classes.thumbnail}
                aria-label={t('Compare with picture {place}', { place: formatNumber(at + 1) })}
                aria-pressed={at === compared}
                style={at === compared ? { outline: '3px solid var(--hw-accent)' } : {}}
                onClick={() => onCompare(at)}
              >
                <Picture picture={one} alt="" isEager />
              </button>
            </Box>
          ))}
        </Group>
      )}
    </Stack>
  );
}
