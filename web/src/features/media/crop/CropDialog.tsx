import { t } from '@lingui/core/macro';
import { Group, Stack } from '@mantine/core';
import { IconArrowsHorizontal, IconArrowsVertical, IconZoomIn } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { pictureMaxRatio } from '#contract/constants.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { Slider } from '../../../ui/form/Slider.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import {
  firstFraming,
  framed,
  type Framing,
  isTooLong,
  mostZoom,
  type OpenPicture,
  type Part,
  partOf,
} from '../../../ui/pictures/crop.ts';
import classes from '../pictures.module.css';

interface Point {
  x: number;
  y: number;
}

/** Zoom per wheel step, and per press of + or -. */
const wheelStep = 0.0015;
const keyStep = 1.15;

const middleOf = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});

/** The distance between two fingers; 1 for one finger, which does not zoom. */
function spread([one, other]: readonly Point[]): number {
  return one && other ? Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)) : 1;
}

/** Gestures on the picture behind the frame: drag to move it; use two fingers, the wheel, + or - to zoom. */
function useCropGestures(picture: OpenPicture, onFraming: (change: (before: Framing) => Framing) => void) {
  const frame = useRef<HTMLDivElement>(null);
  const fingers = useRef(new Map<number, Point>());

  const zoomBy = useEffectEvent((factor: number) =>
    onFraming((before) => framed(picture, { ...before, zoom: before.zoom * factor })),
  );

  const follow = useEffectEvent((before: readonly Point[], after: readonly Point[]) => {
    const [from, to] = [middleOf(before), middleOf(after)];
    const factor = spread(after) / spread(before);
    const shown = frame.current?.getBoundingClientRect().width ?? 0;
    if (shown === 0) return;
    onFraming((framing) => {
      const pixels = partOf(picture, framing).width / shown;
      const x = framing.x - (to.x - from.x) * pixels;
      const y = framing.y - (to.y - from.y) * pixels;
      return framed(picture, { x, y, zoom: framing.zoom * factor });
    });
  });

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const ending = new AbortController();
    const { signal } = ending;
    const held = fingers.current;
    const points = () => [...held.values()];

    function down(event: PointerEvent) {
      if (event.button !== 0 || held.size === 2) return;
      element?.setPointerCapture(event.pointerId);
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    }
    function move(event: PointerEvent) {
      if (!held.has(event.pointerId)) return;
      const before = points();
      held.set(event.pointerId, { x: event.clientX, y: event.clientY });
      follow(before, points());
    }
    const up = (event: PointerEvent) => held.delete(event.pointerId);
    function wheel(event: WheelEvent) {
      event.preventDefault();
      zoomBy(Math.exp(-event.deltaY * wheelStep));
    }
    function press({ key }: KeyboardEvent) {
      if (key === '+' || key === '=') zoomBy(keyStep);
      if (key === '-') zoomBy(1 / keyStep);
    }
    element.addEventListener('pointerdown', down, { signal });
    element.addEventListener('pointermove', move, { signal });
    element.addEventListener('pointerup', up, { signal });
    element.addEventListener('pointercancel', up, { signal });
    element.addEventListener('wheel', wheel, { signal, passive: false });
    document.addEventListener('keydown', press, { signal });
    return () => ending.abort();
  }, []);

  return frame;
}

interface FramingSliderProps {
  Icon: typeof IconZoomIn;
  label: string;
  least: number;
  most: number;
  value: number;
  onChange: (value: number) => void;
  dir?: 'ltr';
}

/** A slider for one side of the framing; none while it could not change anything. */
function FramingSlider({ Icon, label, least, most, value, onChange, dir }: FramingSliderProps) {
  const room = most - least;
  if (room < 1e-6) return null;
  return (
    <Group gap="0.75rem" wrap="nowrap" c="dimmed">
      <Icon size={20} stroke={1.6} aria-hidden="true" />
      <Slider
        least={0}
        most={100}
        step="any"
        thumbs={[
          {
            'aria-label': label,
            value: ((value - least) / room) * 100,
            onChange: (share) => onChange(least + (share / 100) * room),
          },
        ]}
        {...(dir && { dir })}
      />
    </Group>
  );
}

interface FrameProps {
  picture: OpenPicture;
  framing: Framing;
  onFraming: (change: (before: Framing) => Framing) => void;
}

/** The picture behind a frame with the shape of a card. Drag to move it; use the wheel or two fingers to zoom. */
function Frame({ picture, framing, onFraming }: FrameProps) {
  const frame = useCropGestures(picture, onFraming);
  const part = partOf(picture, framing);
  const percent = (share: number) => `${share * 100}%`;
  return (
    <div ref={frame} className={classes.frame}>
      <img
        src={picture.url}
        alt={t`The chosen picture`}
        draggable={false}
        style={{
          width: percent(picture.width / part.width),
          left: percent(-part.x / part.width),
          top: percent(-part.y / part.height),
        }}
      />
    </div>
  );
}

/** The controls for choosing the part of a picture to use. */
function Cropping({ picture, framing, onFraming }: FrameProps) {
  const part = partOf(picture, framing);
  const to = (change: Partial<Framing>) => onFraming((before) => framed(picture, { ...before, ...change }));
  return (
    <>
      <Hint lh={1.35} mb="1rem">
        {t`Drag to choose what others see.`}
        {isTooLong(picture) &&
          ` ${t`The whole picture can't be used, because its longer side is more than ${{ ratio: pictureMaxRatio }} times its shorter side.`}`}
      </Hint>
      <Stack align="center">
        <Frame picture={picture} framing={framing} onFraming={onFraming} />
        <Stack gap={0} w="min(100%, 22rem)">
          <FramingSlider
            Icon={IconZoomIn}
            label={t`Zoom`}
            least={1}
            most={mostZoom(picture)}
            value={framing.zoom}
            onChange={(zoom) => to({ zoom })}
          />
          <FramingSlider
            Icon={IconArrowsHorizontal}
            label={t`Left and right`}
            // Left is left in every language.
            dir="ltr"
            least={part.width / 2}
            most={picture.width - part.width / 2}
            value={framing.x}
            onChange={(x) => to({ x })}
          />
          <FramingSlider
            Icon={IconArrowsVertical}
            label={t`Up and down`}
            least={part.height / 2}
            most={picture.height - part.height / 2}
            value={framing.y}
            onChange={(y) => to({ y })}
          />
        </Stack>
      </Stack>
    </>
  );
}

interface Chosen {
  picture: OpenPicture;
  framing: Framing;
}

/** The chosen framing, or the default one for a new picture. */
function framingOf(chosen: Chosen | null, picture: OpenPicture): Framing {
  return chosen?.picture === picture ? chosen.framing : firstFraming(picture);
}

/** A picture that is waiting to be cropped. */
export interface CropRequest {
  picture: OpenPicture;
  number: number;
  total: number;
  isDrawing: boolean;
  /** Called with the part to use, 'whole' for all of it, or null to skip the picture. */
  answer: (part: Part | 'whole' | null) => void;
}

/** Asks which part of a chosen picture to use, one picture after the other. Closing it leaves the picture out. */
export function CropDialog({ asked, onClose }: { asked: CropRequest; onClose: () => void }) {
  const { picture, number, total, isDrawing, answer } = asked;
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const framing = framingOf(chosen, picture);
  const busyText = t`One moment...`;

  const change = (next: (before: Framing) => Framing) =>
    setChosen((before) => ({ picture, framing: next(framingOf(before, picture)) }));

  return (
    <Dialog
      title={total === 1 ? t`Crop picture` : t`Crop picture ${number} of ${total}`}
      onClose={onClose}
      actions={
        <>
          {!isTooLong(picture) && (
            <BusyButton
              variant="default"
              isBusy={isDrawing}
              busyText={busyText}
              style={{ flexBasis: 'auto' }}
              onClick={() => answer('whole')}
            >
              {t`Use the whole picture`}
            </BusyButton>
          )}
          <BusyButton isBusy={isDrawing} busyText={busyText} onClick={() => answer(partOf(picture, framing))}>
            {t`Use this part`}
          </BusyButton>
        </>
      }
    >
      <Cropping picture={picture} framing={framing} onFraming={change} />
    </Dialog>
  );
}
