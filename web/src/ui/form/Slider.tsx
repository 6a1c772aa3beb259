import { Group, Text } from '@mantine/core';
import { type ComponentProps, type CSSProperties, type MouseEvent, type ReactNode, useId, useRef } from 'react';
import classes from './Slider.module.css';

export interface Thumb extends Pick<
  ComponentProps<'input'>,
  'name' | 'aria-label' | 'aria-labelledby' | 'aria-valuetext'
> {
  value: number;
  onChange: (value: number) => void;
}

interface SliderProps {
  least: number;
  most: number;
  step?: number | 'any';
  /** One, or two that never pass each other, the lower one first. */
  thumbs: readonly [Thumb, Thumb?];
  /** For sliders whose start is on the left in every language. */
  dir?: 'ltr';
}

/** A native slider with one thumb or two. Screen readers and keys know each thumb as a slider of its own. */
export function Slider({ least, most, step = 1, thumbs, dir }: SliderProps) {
  const track = useRef<HTMLDivElement>(null);
  const [first, second] = thumbs;
  const shareOf = (value: number) => (value - least) / (most - least);
  const [from, to] = second === undefined ? [0, shareOf(first.value)] : [shareOf(first.value), shareOf(second.value)];
  const move = (value: number, isSecond: boolean) => {
    if (second === undefined) first.onChange(value);
    else if (isSecond) second.onChange(Math.max(value, first.value));
    else first.onChange(Math.min(value, second.value));
  };

  /** Moves the nearer thumb to where the track was pressed; with two sliders, only the thumbs can be pressed. */
  function press({ target, currentTarget, clientX }: MouseEvent) {
    if (second === undefined || target !== currentTarget || typeof step === 'string') return;
    const { left, right, width } = currentTarget.getBoundingClientRect();
    const isMirrored = getComputedStyle(currentTarget).direction === 'rtl';
    const share = (isMirrored ? right - clientX : clientX - left) / width;
    const value = least + Math.round((share * (most - least)) / step) * step;
    const isSecond = share - from > to - share;
    move(Math.min(most, Math.max(least, value)), isSecond);
    track.current?.querySelectorAll('input')[Number(isSecond)]?.focus();
  }

  return (
    <div
      ref={track}
      role="presentation"
      className={classes.slider}
      dir={dir}
      data-two={second !== undefined || undefined}
      // At the end of the track the lower thumb is the only one that can still move.
      data-ends={from === 1 || undefined}
      style={{ '--from': from, '--to': to } as CSSProperties}
      onClick={press}
    >
      {[first, ...(second === undefined ? [] : [second])].map(({ value, onChange: _, ...names }, index) => (
        <input
          key={index}
          type="range"
          {...names}
          min={least}
          max={most}
          step={step}
          value={value}
          onChange={(event) => move(Number(event.currentTarget.value), index === 1)}
        />
      ))}
    </div>
  );
}

interface SliderFieldProps extends SliderProps {
  label: string;
  /** The values of the thumbs as text, shown next to the label. */
  words: string;
  /** A control at the end of the label's line. */
  end?: ReactNode;
}

/** A slider below its label and its value as text. */
export function SliderField({ label, words, end, ...slider }: SliderFieldProps) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <Group justify="space-between" gap="0.25rem 0.75rem" mih="2.25rem">
        <Text flex="1">
          <Text id={id} span fw={600} me="0.6rem">
            {label}
          </Text>
          <Text span c="dimmed">
            {words}
          </Text>
        </Text>
        {end}
      </Group>
      <Slider {...slider} />
    </div>
  );
}
