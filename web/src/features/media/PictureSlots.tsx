import { t } from '@lingui/core/macro';
import { IconPlus } from '@tabler/icons-react';
import { accepted, AddTile, type OnFiles, taking } from './PictureTiles.tsx';
import classes from './pictures.module.css';

interface SlotProps {
  number: number;
  /** The suggestion for this place, if there is one. */
  idea: string | undefined;
  /** The next one to fill, which is marked. */
  isFirst: boolean;
  onFiles: OnFiles;
}

/** A place for a picture, with a drawing that suggests one. */
function Slot({ number, idea, isFirst, onFiles }: SlotProps) {
  return (
    <li>
      <label className={classes.add} data-first={isFirst || undefined}>
        <input className="visually-hidden" type="file" accept={accepted} multiple onChange={taking(onFiles)} />
        {idea !== undefined && <SlotDrawing number={number} />}
        {idea ?? <span className="visually-hidden">{t`Add picture ${number}`}</span>}
        <IconPlus className={classes.plus} size={20} stroke={2} aria-hidden="true" />
      </label>
    </li>
  );
}

/** Someone's face, someone from head to toe, and someone jumping. */
const drawings = [
  'M32 12a11 11 0 1 0 0 22 11 11 0 0 0 0-22ZM10 62c0-14 10-21 22-21s22 7 22 21',
  'M32 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12ZM32 17v23m-10-15 10-5 10 5M32 40l-7 22m7-22 7 22',
  'M34 6a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11ZM32 19l-4 17m-14-23 16 8 18-9M28 36l14 5 2 13M28 36 16 46l-8-5M50 30l4-3m0 12h5M8 26l-4-3',
];

function SlotDrawing({ number }: { number: number }) {
  return (
    <svg className={classes.drawing} viewBox="0 0 64 64" fill="none" stroke="currentColor" aria-hidden="true">
      <path d={drawings[number - 1]} strokeWidth="2.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

/** How many places are shown from the start. */
const slotCount = 6;

interface PlacesProps {
  /** The suggestions for the first places, which are then all shown from the start. */
  ideas: readonly string[] | undefined;
  /** How many places have a picture, and how many more can be filled. */
  taken: number;
  room: number;
  isBusy: boolean;
  onFiles: OnFiles;
}

/** The places for adding pictures: the free ones, or one tile while there is room. */
export function Places({ ideas, taken, room, isBusy, onFiles }: PlacesProps) {
  if (ideas === undefined) return room > 0 && <AddTile isBusy={isBusy} onFiles={onFiles} />;
  return Array.from({ length: Math.max(0, slotCount - taken) }, (_, at) => (
    <Slot key={taken + at} number={taken + at + 1} idea={ideas[taken + at]} isFirst={at === 0} onFiles={onFiles} />
  ));
}
