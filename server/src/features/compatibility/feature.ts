import type { Feature } from '../../feature.ts';
import { mountCompatibility } from './compatibility.ts';

export const feature: Feature = { routes: [mountCompatibility] };
