import type { Picture as PictureData } from '#contract/media/picture.ts';
import { Picture } from '../../../ui/data/Picture.tsx';
import { useText } from '../../../ui/text/text.ts';
import classes from './LargePicture.module.css';

/** A whole picture as large as the window and its own size allow. Another one begins anew: nobody takes the one before for it. */
export function LargePicture({ picture, alt }: { picture: PictureData; alt: string }) {
  const t = useText();
  return (
    <span
      className={classes.room}
      style={{ '--ratio': picture.width / picture.height, '--most': `${picture.width}px` } as object}
    >
      <Picture
        key={picture.publicId}
        picture={picture}
        alt={alt}
        shape="whole"
        isEager
        fallback={<span className={classes.failed}>{t('This picture does not load. Refresh and try again.')}</span>}
      />
    </span>
  );
}
