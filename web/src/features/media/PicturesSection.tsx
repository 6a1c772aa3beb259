import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import type { OwnPicture } from '#contract/media.ts';
import { useServiceConfig } from '../../api/service-config.ts';
import { Skeleton } from '../../ui/feedback/PageStates.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { LazyBoundary } from '../../ui/loading/LazyBoundary.tsx';
import { preloadable } from '../../ui/loading/preload.ts';
import type { OwnPicturesProps } from './OwnPictures.tsx';
import classes from './pictures.module.css';

/** In its own chunk, fetched along with the page that shows it. */
const [OwnPictures, preloadOwnPictures] = preloadable(async () => (await import('./OwnPictures.tsx')).OwnPictures);

function PicturesSkeleton({ pictures }: { pictures: readonly OwnPicture[] }) {
  const shape = (
    <div className={classes.shape}>
      <Skeleton height="100%" />
    </div>
  );
  return (
    <>
      <p role="status" className="visually-hidden">
        {t`Loading your pictures...`}
      </p>
      <div className={classes.grid} aria-hidden="true">
        {pictures.map(({ publicId, isProfilePicture }) => (
          <Stack key={publicId} gap="0.5rem">
            {shape}
            <Skeleton height="1.35rem" width="70%" />
            <Skeleton height="2.75rem" />
            {!isProfilePicture && <Skeleton height="2.75rem" />}
          </Stack>
        ))}
        {shape}
      </div>
    </>
  );
}

/** The picture rules in one line. */
function useRules(): string {
  return useServiceConfig()?.showsPendingPictures === true
    ? t`No one under 18, no phone numbers or addresses. Our team reviews each picture.`
    : t`No one under 18, no phone numbers or addresses. Our team reviews each picture before others see it.`;
}

/** The pictures, rendered once their code has been loaded. */
function LazyOwnPictures(props: OwnPicturesProps) {
  return (
    <LazyBoundary fallback={<PicturesSkeleton pictures={props.pictures} />}>
      <OwnPictures {...props} />
    </LazyBoundary>
  );
}

/** The pictures below the picture rules. */
export function PicturesPart(props: OwnPicturesProps) {
  return (
    <Stack gap="1rem">
      <Hint>{useRules()}</Hint>
      <LazyOwnPictures {...props} />
    </Stack>
  );
}

/** Six places for the first pictures, with suggestions. */
export function PictureSlots(props: Omit<OwnPicturesProps, 'ideas'>) {
  return <LazyOwnPictures {...props} ideas={[t`You`, t`Full length`, t`Doing what you love`]} />;
}

preloadOwnPictures();
