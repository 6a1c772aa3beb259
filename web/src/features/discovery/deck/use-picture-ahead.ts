import { useEffect } from 'react';
import { thumbnailWidth } from '#contract/constants.ts';
import type { Picture } from '#contract/media/picture.ts';
import { galleryWidth } from '../../../ui/data/PictureGallery.tsx';

/** Loads the next picture ahead, in the size in which it will be drawn. */
export function usePictureAhead(picture: Picture | undefined): void {
  useEffect(() => {
    if (picture === undefined) return;
    const image = new Image();
    image.sizes = galleryWidth;
    image.srcset = `${picture.thumbnailUrl} ${thumbnailWidth}w, ${picture.url} ${picture.width}w`;
  }, [picture]);
}
