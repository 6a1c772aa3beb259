import { Suspense } from 'react';
import type { OwnPicture } from '#contract/media/picture.ts';
import { lazyPart } from '../../ui/loading/lazy-page.tsx';
import { Bone } from '../../ui/feedback/PageStates.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { useText } from '../../ui/text/text.ts';
import type { OwnPicturesProps } from './OwnPictures.tsx';
import classes from './pictures.module.css';

/** In a chunk of its own, which begins to come along with the page that shows it. */
const ownPictures = lazyPart(() => import('./OwnPictures.tsx').then((module) => module.OwnPictures));

function Skeleton({ pictures }: { pictures: readonly OwnPicture[] }) {
  const t = useText();
  const shape = (
    <div className={classes.shape}>
      <Bone height="100%" />
    </div>
  );
  return (
    <>
      <p role="status" className="visually-hidden">
        {t('Loading your pictures...')}
      </p>
      <div className={classes.grid} aria-hidden="true">
        {pictures.map(({ publicId, isProfilePicture }) => (
          <div key={publicId}>
            {shape}
            <Bone height="1.35rem" width="70%" />
            <Bone height="2.75rem" />
            {!isProfilePicture && <Bone height="2.75rem" />}
          </div>
        ))}
        {shape}
      </div>
    </>
  );
}

/** What is fine to show and what is not, in a line. */
const picturesRules =
  'Show yourself. Nobody under 18, no phone numbers or addresses. Our team looks at each picture before others see it.';

/** My pictures with everything that can be done with them, once their code is there. */
function LazyOwnPictures(props: OwnPicturesProps) {
  return (
    <Suspense fallback={<Skeleton pictures={props.pictures} />}>
      <ownPictures.Part {...props} />
    </Suspense>
  );
}

/** 'My pictures' as a part of the profile. */
export function PicturesSection(props: OwnPicturesProps) {
  const t = useText();
  return (
    <Panel title={t('My pictures')} lead={t(picturesRules)}>
      <LazyOwnPictures {...props} />
    </Panel>
  );
}

/** The pictures within another form, below what is to be known of them. */
export function PicturesPart(props: OwnPicturesProps) {
  const t = useText();
  return (
    <>
      <p className={classes.rules}>{t(picturesRules)}</p>
      <LazyOwnPictures {...props} />
    </>
  );
}

ownPictures.preload();
