/** How far colours are apart, as they are seen with and without each kind of cone. */

/** Red, green, blue, 0 to 1, linear. */
type Light = [number, number, number];

const SEEN: Record<string, [Light, Light, Light]> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  // Machado, Oliveira, Fernandes 2009, full severity.
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const dot = ([a, b, c]: Light, [x, y, z]: Light) => a * x + b * y + c * z;
const through = (rows: [Light, Light, Light], light: Light): Light => [
  dot(rows[0], light),
  dot(rows[1], light),
  dot(rows[2], light),
];

/** Reads `rgb(…)`, as browsers answer. */
export function lightOf(colour: string): Light {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) =>
    linear(Number(part) / 255),
  );
  return [red, green, blue];
}

function oklab(light: Light): Light {
  const cones = through(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    light,
  ).map(Math.cbrt) as Light;
  return through(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
}

/** The distance in OKLab of two colours to those who see it least; black and white are 1 apart. */
export function leastDistance(a: Light, b: Light): number {
  const distances = Object.values(SEEN).map((kind) => {
    const [x, y] = [a, b].map((light) =>
      oklab(through(kind, light).map((part) => Math.max(0, part)) as Light),
    );
    return Math.hypot(...x!.map((part, at) => part - y![at]!));
  });
  return Math.min(...distances);
}

/** The contrast of WCAG 2. */
export function contrast(a: Light, b: Light): number {
  const [low = 0, high = 0] = [a, b]
    .map((light) => dot([0.2126, 0.7152, 0.0722], light))
    .sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}
