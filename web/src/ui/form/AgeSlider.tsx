import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { maximumAgeYears } from '#contract/constants.ts';
import { minimumAge } from '../../brand.ts';
import { formatNumber } from '../text/format.ts';
import { SliderField } from './Slider.tsx';

/** The last age on the slider, which also stands for everyone older; it leaves room above a high minimum age. */
const oldestAge = () => Math.max(80, minimumAge() + 20);

export interface AgeRange {
  min: number;
  max: number;
}

/** Ages as they are shown: saved ones may begin before the minimum age of the service. */
export const shownAges = ({ min, max }: AgeRange): AgeRange => ({
  min: Math.max(min, minimumAge()),
  max: Math.max(max, minimumAge()),
});

interface AgeSliderProps {
  /** Null for any age. */
  age: AgeRange | null;
  /** A control at the end of the label's line. */
  end?: ReactNode;
  /** Null if both thumbs are at the ends. */
  onChange: (age: AgeRange | null) => void;
}

/** A range of ages, chosen with two thumbs on one slider. */
export function AgeSlider({ age, end, onChange }: AgeSliderProps) {
  const [least, oldest] = [minimumAge(), oldestAge()];
  const { min, max } = shownAges(age ?? { min: least, max: maximumAgeYears });
  const said = (years: number) => (years >= oldest ? `${formatNumber(oldest)}+` : formatNumber(years));
  const change = (to: AgeRange) => onChange(to.min === least && to.max === maximumAgeYears ? null : to);
  return (
    <SliderField
      label={t`Age`}
      words={t`${{ min: said(min) }} to ${{ max: said(max) }}`}
      end={end}
      least={least}
      most={oldest}
      thumbs={[
        {
          name: 'ageMin',
          'aria-label': t`Youngest age`,
          value: Math.min(min, oldest),
          onChange: (value) => change({ min: value, max }),
        },
        {
          name: 'ageMax',
          'aria-label': t`Oldest age`,
          'aria-valuetext': said(max),
          value: Math.min(max, oldest),
          onChange: (value) => change({ min, max: value >= oldest ? maximumAgeYears : value }),
        },
      ]}
    />
  );
}
