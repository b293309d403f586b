/** The points beside a point. Points are numbered row by row from the top left; on a torus all edges meet, on a cylinder left and right. */
export function neighbours(point: number, { width, height, topology }: { readonly width: number, readonly height: number, readonly topology?: string }): number[] {
  const [column, row] = [point % width, Math.floor(point / width)]
  const beside = [[column - 1, row], [column + 1, row], [column, row - 1], [column, row + 1]] as const
  const [joinsX, joinsY] = [topology === 'torus' || topology === 'cylinder', topology === 'torus']
  return beside.filter(([x, y]) => (joinsX || (x >= 0 && x < width)) && (joinsY || (y >= 0 && y < height)))
    .map(([x, y]) => (y + height) % height * width + (x + width) % width)
}
