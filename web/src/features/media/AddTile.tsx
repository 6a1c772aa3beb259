import { IconCamera, IconPhotoPlus } from '@tabler/icons-react';
import type { ChangeEvent } from 'react';
import { useText } from '../../ui/text/text.ts';
import classes from './AddTile.module.css';

const accepted = 'image/jpeg,image/png,image/webp,image/avif';

interface AddTileProps {
  isBusy: boolean;
  onFiles: (files: File[]) => void;
}

/** Where pictures are chosen, several at once; on a phone the camera too. */
export function AddTile({ isBusy, onFiles }: AddTileProps) {
  const t = useText();

  function take(event: ChangeEvent<HTMLInputElement>) {
    const input = event.currentTarget;
    const files = [...(input.files ?? [])];
    // The same file can be chosen again.
    input.value = '';
    if (files.length > 0) onFiles(files);
  }

  return (
    <li className={classes.tile}>
      <label className={classes.add}>
        <input className="visually-hidden" type="file" accept={accepted} multiple onChange={take} />
        <IconPhotoPlus size={30} stroke={1.5} aria-hidden="true" />
        {isBusy ? t('Opening...') : t('Add pictures')}
      </label>
      <label className={classes.camera}>
        <input className="visually-hidden" type="file" accept={accepted} capture="user" onChange={take} />
        <IconCamera size={20} stroke={1.5} aria-hidden="true" />
        {t('Take a picture')}
      </label>
    </li>
  );
}
