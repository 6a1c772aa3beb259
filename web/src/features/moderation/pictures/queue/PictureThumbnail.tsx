import { IconZoomIn } from '@tabler/icons-react';
import type { Picture as PictureData } from '#contract/media/picture.ts';
import { Picture } from '../../../../ui/data/Picture.tsx';
import classes from './PictureThumbnail.module.css';

interface PictureThumbnailProps {
  picture: PictureData;
  /** What a press does, and with which picture. */
  label: string;
  onEnlarge: () => void;
}

/** A small picture that a press enlarges. */
export function PictureThumbnail({ picture, label, onEnlarge }: PictureThumbnailProps) {
  return (
    <button type="button" className={classes.thumbnail} aria-label={label} title={label} onClick={onEnlarge}>
      <Picture picture={picture} alt="" />
      <span className={classes.zoom}>
        <IconZoomIn size={15} stroke={2} aria-hidden="true" />
      </span>
    </button>
  );
}
